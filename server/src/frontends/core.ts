/**
 * The script with most of the code, which the first scripts of the language server (`lsp/server.ts`) and of the command
 * line (`cli/main.ts`) load, in Node and in browsers. It exists once, because it is large.
 */

import { isNode } from '../io/environment.ts';
import { type OpenSession, provideCore } from './lsp/serve.ts';

interface Files {
  readonly './lsp/node-session.ts': { readonly openSession: OpenSession };
  readonly './lsp/browser-session.ts': { readonly openSession: OpenSession };
  /** The modules of the commands by their paths; `client/build.mjs` lists them. */
  readonly 'skill-composer:commands': object;
}

/** The bundler includes these files. Each is executed only when it is required. */
declare const require: <Name extends keyof Files>(file: Name) => Files[Name];

provideCore({
  openSession: () => (isNode() ? require('./lsp/node-session.ts') : require('./lsp/browser-session.ts')).openSession,
  commands: () => require('skill-composer:commands'),
});
