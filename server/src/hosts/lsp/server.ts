/**
 * The first of the two scripts of the language server: it answers `initialize`. One bundle serves Node and browsers, and
 * runs the file for the host that it is in.
 */
import { isNode } from '../environment.ts';

/** The bundler includes these files; each runs when it is required. */
declare const require: (file: './node.ts' | './browser.ts') => unknown;

if (isNode()) require('./node.ts');
else require('./browser.ts');
