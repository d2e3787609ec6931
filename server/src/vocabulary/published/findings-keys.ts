/** The keys of what `check --format json` prints, and of `skills.baseline.json` (docs/exchange.md, "Schemas"). */
import { bool, count, filled, positiveCount, prose, text } from '../common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, oneOf } from '../shape.ts';

const SECTION = 'Schemas';
const required = { mandatory: true };

const version = key(
  'version',
  { kind: 'number', integer: true, min: 1, max: 1 },
  'The version of this form: 1.',
  required,
);
const rule = key('rule', filled, "The rule's name.", required);

const position = mapOf(
  SECTION,
  key('line', count, 'The line, counted from 0.', required),
  key('character', count, 'The place in the line, counted from 0 in UTF-16 units.', required),
);

const range = mapOf(
  SECTION,
  key('start', position, 'Where it begins.', required),
  key('end', position, 'Where it ends; the character there is no longer part of it.', required),
);

const related = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('range', range, 'The place.', required),
  key('message', prose, 'What the place has to do with the finding.', required),
);

const fix = mapOf(
  SECTION,
  key('title', prose, 'What the fix does.', required),
  key('safe', bool, 'Whether `check --fix` applies it unasked.', required),
);

const finding = mapOf(
  SECTION,
  key('file', text, 'The file, relative to the working folder, with `/`.', required),
  key('code', filled, "The rule's number where it has one, such as `E010`, else its name.", required),
  rule,
  key(
    'severity',
    oneOf({
      error: 'It does not work.',
      warning: 'It most likely is not what was meant.',
      info: 'Worth knowing.',
      hint: 'It could be better.',
    }),
    'How grave it is.',
    required,
  ),
  key('message', prose, 'What is wrong, why it matters, and what to do.', required),
  key('range', range, 'The place.', required),
  key('related', listOf(related), 'Other places that the finding is about.', required),
  key('fixes', listOf(fix), 'Ways to fix it, the best first.', required),
  key('docs', text, "The rule's page in this repository.", required),
);

const summary = mapOf(
  SECTION,
  key('files', count, 'How many files were checked.', required),
  key('errors', count, 'How many errors there are.', required),
  key('warnings', count, 'How many warnings.', required),
  key('infos', count, 'How many notes.', required),
  key('hints', count, 'How many hints.', required),
);

export const findingsKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(finding), 'The findings, sorted by file, then by place.', required),
  key('summary', summary, 'How many files and findings there are.', required),
);

const baselineFile = key('file', text, 'The file, relative to the folder of the baseline, with `/`.', required);

const knownFinding = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('digest', filled, "Of the rule, the path and the marked line's text.", required),
  key('count', positiveCount, 'How many findings of the file have this digest.', required),
);

const knownMeasure = mapOf(
  SECTION,
  rule,
  baselineFile,
  key('of', filled, 'What is measured, such as `tokens`.', required),
  key('value', { kind: 'number' }, 'How much of it is accepted: it may fall, not rise.', required),
);

export const baselineKeys: KeyTable = keysOf(
  SECTION,
  version,
  key('findings', listOf(knownFinding), 'The findings that are accepted for now.', required),
  key('measures', listOf(knownMeasure), 'What rules that measure have found.'),
);
