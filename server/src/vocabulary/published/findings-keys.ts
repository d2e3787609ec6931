/** The keys of the output of `check --format json`, and of `skills.baseline.json` (docs/exchange.md, "Schemas"). */
import { bool, count, filled, positiveCount, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf } from '../shape.ts';

const SECTION = 'Schemas';
const required = { mandatory: true };

const version = key(
  'version',
  { kind: 'number', integer: true, min: 1, max: 1 },
  'The version of this format: 1.',
  required,
);
const rule = key('rule', filled, "The rule's name.", required);

const position = mapOf(
  SECTION,
  key('line', count, 'The line, counted from 0.', required),
  key('character', count, 'The position in the line, counted from 0 in UTF-16 code units.', required),
);

const range = mapOf(
  SECTION,
  key('start', position, 'The start.', required),
  key('end', position, 'The end; the character at this position is not included.', required),
);

const related = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('range', range, 'The location.', required),
  key('message', prose, 'The relation of the location to the finding.', required),
);

const fix = mapOf(
  SECTION,
  key('title', prose, 'The title of the fix.', required),
  key('safe', bool, 'Whether `check --fix` applies it.', required),
);

const finding = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('code', filled, "The rule's number, such as `E010`, or its name if it has no number.", required),
  rule,
  key(
    'severity',
    oneOf({
      error: 'The skill does not work.',
      warning: 'The skill is probably wrong.',
      info: 'Worth knowing.',
      hint: 'The skill can be improved.',
    }),
    'The severity.',
    required,
  ),
  key('message', prose, 'The fault, and how to fix it.', required),
  key('range', range, 'The location.', required),
  key('related', listOf(related), 'Related locations.', required),
  key('fixes', listOf(fix), 'The fixes, the best first.', required),
  key('docs', text, "The rule's page in this repository.", required),
);

const summary = mapOf(
  SECTION,
  key('files', count, 'The number of checked files.', required),
  key('errors', count, 'The number of errors.', required),
  key('warnings', count, 'The number of warnings.', required),
  key('infos', count, 'The number of infos.', required),
  key('hints', count, 'The number of hints.', required),
);

export const findingsKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(finding), 'The findings, sorted by file, then by position.', required),
  key('summary', summary, 'The numbers of files and findings.', required),
);

const baselineFile = key('file', text, 'The file, relative to the folder of the baseline, with `/`.', required);

const knownFinding = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('digest', filled, 'The digest of the rule, the path and the text of the line.', required),
  key('count', positiveCount, 'The number of findings of the file with this digest.', required),
);

const knownMeasure = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('of', filled, 'The measured unit, such as `tokens`.', required),
  key('value', { kind: 'number' }, 'The accepted value; it may fall, but not rise.', required),
);

export const baselineKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(knownFinding), 'The accepted findings.', required),
  key('measures', listOf(knownMeasure), 'The accepted measures of rules.'),
);
