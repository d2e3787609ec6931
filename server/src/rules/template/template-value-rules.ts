/** Rules about the filters, tests and values in templates that MiniJinja refuses, or evaluates as authors do not expect. */
import { type PlacedProblem, typeProblems, unknownBuiltins } from '../../analysis/template-code.ts';
import { type Draft, placesHere } from '../../finding.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a value or an argument that MiniJinja refuses: a loop over a number, a filter for another type. */
export const refusedValue: Rule = {
  name: 'refused-value',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/templates.md, "Types"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  *check(file, analysis) {
    for (const { kind, place, message, isCertain, fileFixes } of typeProblems(analysis, file).flat()) {
      if (kind !== 'refused-value' && kind !== 'argument') continue;
      yield { span: place, message, fixes: fileFixes, ...(isCertain ? {} : { severity: 'warning' }) };
    }
  },
};

/** Reports an iterator, such as the result of `split`, where it is not like a list. */
export const iteratorValue: Rule = {
  name: 'iterator-value',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/templates.md, "Types"' },
  dialects: SKILLS,
  prevents: ['template'],
  *check(file, analysis) {
    for (const problems of typeProblems(analysis, file)) {
      const own = problems.filter(({ kind }) => kind === 'iterator');
      for (const uses of groupBy(own, causeOf).values()) yield draftOf(file, uses);
    }
  },
};

/** Uses that the same edit repairs, such as those of `loop.last` in one loop, are one defect. */
const causeOf = ({ fixes: [fix], place }: PlacedProblem): string =>
  fix ? fix.edits.map(({ span: { start, end }, newText }) => `${start} ${end} ${newText}`).join() : `at ${place.start}`;

function draftOf(file: SkillFile, uses: readonly [PlacedProblem, ...PlacedProblem[]]): Draft {
  const [main, ...others] = uses;
  return {
    span: main.place,
    message: main.message,
    related: placesHere(
      file,
      others.map(({ place }) => ({ span: place })),
      'The same fix repairs this',
    ),
    fixes: main.fileFixes,
  };
}

/** Reports an expression whose result differs from its result in Jinja2, without an error. */
export const jinjaDifference: Rule = {
  name: 'jinja-difference',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/templates.md, "Types"' },
  dialects: SKILLS,
  *check(file, analysis) {
    for (const { kind, place, message, fileFixes } of typeProblems(analysis, file).flat()) {
      if (kind === 'difference') yield { span: place, message, fixes: fileFixes };
    }
  },
};

/** Reports a filter that MiniJinja does not have. */
export const unknownFilter: Rule = {
  name: 'unknown-filter',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'filter'),
};

/** Reports a test (`x is …`) that MiniJinja does not have. */
export const unknownTest: Rule = {
  name: 'unknown-test',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, "Template language"' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  check: (file) => unknownBuiltins(file, 'test'),
};
