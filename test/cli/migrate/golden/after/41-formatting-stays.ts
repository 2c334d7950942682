#!/usr/bin/env node
/* A header. */
import { Svc } from 'svc-sdk' // the client

const composio=new Svc( { baseUrl : 'http://127.0.0.1:4747' /* local */ , apiKey:'ak' } )

// prettier-ignore
const matrix = [1,0,
                0,1]

export const a = composio // first
  .toolkits
  .get( 'github', /* no query */ undefined , { timeoutMs:1 } )

if (matrix) { void composio.tools.enum().then( r=>r ) ; }
