/** Loads the code that signs deliveries, and the package it uses. Most programs never subscribe to any. */
export const loadSigning = () => import("../../webhooks/sign.js");
