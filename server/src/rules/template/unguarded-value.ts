import { type PlacedProblem, typeProblems } from '../../analysis/template-code.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, fixIn, placesHere } from '../../finding.ts';
import { findEntry, findValue } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a value that may be undefined, such as an optional parameter, where an undefined value fails. */
export const unguardedValue: Rule = {
  name: 'unguarded-value',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 2: an undefined variable is an error' },
  dialects: SKILLS,
  prevents: ['template'],
  *check(file, analysis) {
    for (const problems of typeProblems(analysis, file)) {
      const unguarded = problems.filter(({ kind }) => kind === 'maybe-undefined');
      for (const uses of groupBy(unguarded, keyOf).values()) yield draftOf(file, uses);
    }
  },
};

/** Uses of the same optional value are one defect. */
const keyOf = ({ optional, place }: PlacedProblem): string => optional?.path.join('.') ?? `at ${place.start}`;

function draftOf(file: SkillFile, uses: readonly [PlacedProblem, ...PlacedProblem[]]): Draft {
  const [{ place, message, optional, isLocal }, ...others] = uses;
  return {
    span: place,
    message,
    related: placesHere(
      file,
      others.map((use) => ({ span: use.place })),
      `\`${optional?.path.join('.') ?? ''}\` is also used here`,
    ),
    fixes: [...guardAll(file, uses), ...declareDefault(file, isLocal ? [] : (optional?.path ?? []))],
  };
}

/**
 * Returns the fix that guards every use. A value that another variable holds is guarded where it is used, so a guard in
 * another tag has no effect; two guards at the end of one expression would have the wrong order.
 */
function guardAll({ text }: SkillFile, uses: readonly PlacedProblem[]): readonly Fix[] {
  const fixes = uses.flatMap(({ fileFixes }) => fileFixes.slice(0, 1));
  const [first] = fixes;
  if (!first || fixes.length < uses.length) return [];
  const [target] = first.edits;
  if (!target) return [];
  const edits = fixes.flatMap((fix) => fix.edits.flatMap((one) => one.edits));
  const isApart = uses.some(({ place }, at) =>
    fixes[at]?.edits.some((one) => one.edits.some(({ span }) => /[%}]\}/.test(text.slice(place.end, span.start)))),
  );
  if (isApart || new Set(edits.map(({ span }) => span.end)).size < edits.length) return [];
  return fixIn(first.title, [{ uri: target.uri, edits }]);
}

const EMPTY: ReadonlyMap<string, string> = new Map([
  ['string', '""'],
  ['number', '0'],
  ['integer', '0'],
  ['boolean', 'false'],
]);

/** Returns the fix that declares an empty default for a field in shorthand, such as `title: string?`. */
function declareDefault(file: SkillFile, path: readonly string[]): readonly Fix[] {
  const fields = path[0] === 'parameters' ? path.slice(1) : path;
  if (file.contract.input?.schema.form !== 'shorthand' || fields.length === 0) return [];
  let node = findSkillEntry(file.frontmatter.tree.root, 'input_schema')?.value;
  for (const name of fields.slice(0, -1)) node = node && findValue(node, name);
  const value = findEntry(node, fields.at(-1) ?? '')?.value;
  const written = value?.kind === 'scalar' ? /^(\w+)\?$/.exec(String(value.value)) : null;
  const empty = EMPTY.get(written?.[1] ?? '');
  if (!value || empty === undefined) return [];
  const newText = `{type: ${written?.[1]}, default: ${empty}}`;
  return fixHere(file, `Declare the default ${empty}`, [{ span: value.span, newText }]);
}
