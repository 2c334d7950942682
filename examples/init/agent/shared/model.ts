// A model for development that needs no key: it calls the tools that fit the words of a task, with sample arguments.
import { sampleModel } from "svc-sdk/testing";

/** Variables with the model's URL and key. With your own OPENAI_API_KEY, the app asks your model. */
export const modelVariables = process.env["OPENAI_API_KEY"] ? {} : (await sampleModel().serve()).env;
