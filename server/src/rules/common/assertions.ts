/** Assertions of templates and examples (docs/format.md, section 5): each type needs keys of its own. */
import type { Draft } from '../../finding.ts';
import { parseSchema, regexProblems, type SchemaProblem } from '../../languages/schema/schema.ts';
import { findEntry, findValue, listItems, numberOf, stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { ArtifactMetadata } from '../../skill/artifact-data.ts';

/** One of these keys must be there. */
const NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['structural', ['schema']],
  ['length', ['min', 'max']],
  ['pattern', ['match', 'not_match']],
  ['contains', ['value']],
  ['equals', ['value']],
  ['semantic', ['prompt']],
]);

export function* checkAssertions({ tree }: ArtifactMetadata): Iterable<Draft> {
  for (const assertion of listItems(findValue(tree.root, 'assertions'))) {
    if (assertion.kind === 'map') yield* checkAssertion(assertion);
  }
}

function* checkAssertion(assertion: YamlMap): Iterable<Draft> {
  const type = findEntry(assertion, 'type');
  const needed = NEEDS.get(stringOf(type?.value) ?? '');
  if (type && needed && !needed.some((key) => findEntry(assertion, key))) {
    yield {
      span: type.value.span,
      message: `An assertion of type \`${stringOf(type.value)}\` checks nothing without ${inWords(needed, 'or')}. Add it.`,
    };
  }
  const min = numberOf(findValue(assertion, 'min'));
  const max = findEntry(assertion, 'max');
  const most = numberOf(max?.value);
  if (max && min !== undefined && most !== undefined && min > most) {
    yield {
      span: max.value.span,
      message: `\`max\` is ${most}, below \`min\`, which is ${min}: no output can fit both.`,
    };
  }
  for (const { rule, span, message, severity } of problemsWithin(assertion)) {
    if (rule === undefined) yield { span, message, ...(severity ? { severity } : {}) };
  }
}

/** What is wrong with the patterns and the schemas of assertions. */
export const assertionProblems = ({ tree }: ArtifactMetadata): readonly SchemaProblem[] =>
  listItems(findValue(tree.root, 'assertions')).flatMap((assertion) =>
    assertion.kind === 'map' ? problemsWithin(assertion) : [],
  );

function problemsWithin(assertion: YamlMap): readonly SchemaProblem[] {
  const schema = findValue(assertion, 'schema');
  const patterns = ['match', 'not_match'].flatMap((key) => {
    const pattern = findValue(assertion, key);
    const source = stringOf(pattern);
    return pattern && source !== undefined ? regexProblems(source, pattern.span) : [];
  });
  return [...patterns, ...(schema ? parseSchema(schema).problems : [])];
}
