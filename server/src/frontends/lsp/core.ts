/**
 * The second script of the language server: the core and its handlers, for Node and for browsers. `server.ts` loads it.
 */

import { isNode } from '../../io/environment.ts';
import { type OpenSession, provideCore } from './serve.ts';

/** The bundler includes these files. Each is executed only when it is required. */
declare const require: (file: './node-session.ts' | './browser-session.ts') => { readonly openSession: OpenSession };

provideCore((isNode() ? require('./node-session.ts') : require('./browser-session.ts')).openSession);
