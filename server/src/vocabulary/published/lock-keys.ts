/** The keys of `skills.lock.json` (docs/exchange.md, "Schemas"). */
import { filled, operation, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, recordOf } from '../shape.ts';

const SECTION = 'Schemas';
const required = { mandatory: true };
const texts = listOf(text);

/** What an installed skill may do, with all that it composes. */
export const capabilityKeys: KeyTable = keysOf(
  SECTION,
  key('operation', operation, 'The severest that is declared.'),
  key('effects', texts, 'What running it may do.'),
  key('tools', texts, 'The tools by name; those of a `SKILL.md` as `allowed-tools` has them.'),
  key('scopes', texts, 'The scopes that it requires.'),
  key('interrupts', texts, 'Where it may pause for its author.'),
  key('parts', texts, 'The installed skills that it composes, and the contracts of its tools.'),
  key('others', texts, 'Skills that it composes or requires, and that were not installed.'),
  key('executables', texts, 'Scripts and other executable files, from the root, with `/`.'),
  key('runs', texts, 'Commands that a client runs by itself.'),
  key('reaches', texts, 'What its scripts reach: `network`, `files`, `processes`, `secrets`.'),
  key('addresses', texts, 'The hosts that stand in scripts, commands and backing services.'),
  key('findings', texts, 'The rules about capabilities that have a finding.'),
);

const installed = mapOf(
  SECTION,
  key('path', filled, 'Where the skill lies, from the root, with `/`.', required),
  key('origin', filled, 'Where it came from, as it was given.', required),
  key('version', filled, 'Its version, where it has one.'),
  key(
    'files',
    recordOf({ kind: 'string', pattern: /^[0-9a-f]{64}$/, expected: 'a SHA-256 in hexadecimal' }),
    'The files by their paths, each with its SHA-256.',
    required,
  ),
  key(
    'capabilities',
    { kind: 'map', keys: capabilityKeys },
    'What the skill was able to do when it was installed; what is left out, it was not.',
    required,
  ),
);

export const lockKeys: KeyTable = keysOf(
  SECTION,
  key('version', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this form: 1.', required),
  key('skills', recordOf(installed), 'The installed skills by their names.', required),
);
