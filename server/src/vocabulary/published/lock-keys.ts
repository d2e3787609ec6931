/** The keys of `skills.lock.json` (docs/exchange.md, "Schemas"). */
import { any, filled, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, mapOf, recordOf } from '../shape.ts';

const SECTION = 'Schemas';
const required = { mandatory: true };

const installed = mapOf(
  SECTION,
  key('path', filled, 'Where the skill lies, from the root, with `/`.', required),
  key('origin', filled, 'Where it came from, as it was given.', required),
  key('version', text, 'Its version.', { mandatory: true, nullable: true }),
  key(
    'files',
    recordOf({ kind: 'string', pattern: /^(?:sha256:)?[0-9a-f]{64}$/, expected: 'a SHA-256 in hexadecimal' }),
    'The files by their paths, each with its SHA-256.',
    required,
  ),
  key('capabilities', any, 'What the skill was able to do when it was installed.', required),
);

export const lockKeys: KeyTable = keysOf(
  SECTION,
  key('version', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this form: 1.', required),
  key('skills', recordOf(installed), 'The installed skills by their names.', required),
);
