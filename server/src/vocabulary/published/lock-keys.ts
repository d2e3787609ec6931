/** The keys of `skills.lock.json` (docs/exchange.md, "Schemas"). */
import { filled, operation, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, recordOf } from '../shape.ts';

const SECTION = 'Schemas';
const required = { mandatory: true };
const texts = listOf(text);

/** The capabilities of an installed skill, including all skills that it composes. */
export const capabilityKeys: KeyTable = keysOf(
  SECTION,
  key('operation', operation, 'The most severe declared operation.'),
  key('effects', texts, 'The effects that a run may have.'),
  key('tools', texts, 'The names of the tools; for a `SKILL.md` those of `allowed-tools`.'),
  key('scopes', texts, 'The scopes that it requires.'),
  key('interrupts', texts, 'The points where it may pause and ask the author.'),
  key('parts', texts, 'The installed skills that it composes, and the contracts of its tools.'),
  key('others', texts, 'Skills that it composes or requires, but that were not installed.'),
  key('executables', texts, 'Scripts and other executable files, from the root, with `/`.'),
  key('runs', texts, 'Commands that a client runs by itself.'),
  key('reaches', texts, 'The targets of its scripts: `network`, `files`, `processes`, `secrets`.'),
  key('addresses', texts, 'The hosts in scripts, commands and backing services.'),
  key('findings', texts, 'The rules about capabilities that have a finding.'),
);

const installed = mapOf(
  SECTION,
  key('path', filled, 'The path of the skill from the root, with `/`.', required),
  key('origin', filled, 'The source, as the user gave it.', required),
  key('version', filled, 'Its version, if it has one.'),
  key(
    'files',
    recordOf({ kind: 'string', pattern: /^[0-9a-f]{64}$/, expected: 'a SHA-256 in hexadecimal' }),
    'The files by their paths, each with its SHA-256.',
    required,
  ),
  key(
    'capabilities',
    { kind: 'map', keys: capabilityKeys },
    'The capabilities of the skill when it was installed; missing ones did not exist.',
    required,
  ),
);

export const lockKeys: KeyTable = keysOf(
  SECTION,
  key('version', { kind: 'number', integer: true, min: 1, max: 1 }, 'The version of this format: 1.', required),
  key('skills', recordOf(installed), 'The installed skills by their names.', required),
);
