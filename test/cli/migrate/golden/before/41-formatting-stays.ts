#!/usr/bin/env node
/* A header. */
import Composio from '@composio/client' // the client

const composio=new Composio( { baseURL : 'http://127.0.0.1:4747' /* local */ , apiKey:'ak' } )

// prettier-ignore
const matrix = [1,0,
                0,1]

export const a = composio // first
  .toolkits
  .retrieve( 'github', /* no query */ undefined , { timeout:1 } )

if (matrix) { void composio.tools.retrieveEnum().then( r=>r ) ; }
