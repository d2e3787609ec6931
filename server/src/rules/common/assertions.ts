/** Assertions of templates and examples (docs/format.md, section 5): each type needs keys of its own. */
import type { Draft } from '../../finding.ts';
import { findRegexFault, parseSchema } from '../../languages/schema/schema.ts';
import { findEntry, findValue, listItems, numberOf, stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { ArtifactMetadata } from '../../skill/artifact-data.ts';

/** One of these keys must be there. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  structural: ['schema'],
  length: ['min', 'max'],
  pattern: ['match', 'not_match'],
  semantic: ['prompt'],
};

export function* checkAssertions({ tree }: ArtifactMetadata): Iterable<Draft> {
  for (const assertion of listItems(findValue(tree.root, 'assertions'))) {
    if (assertion.kind === 'map') yield* checkAssertion(assertion);
  }
}

function* checkAssertion(assertion: YamlMap): Iterable<Draft> {
  const type = findEntry(assertion, 'type');
  const needed = NEEDS[stringOf(type?.value) ?? ''];
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
  for (const key of ['match', 'not_match']) {
    const pattern = findValue(assertion, key);
    const source = stringOf(pattern);
    const fault = source === undefined ? undefined : findRegexFault(source);
    if (pattern && fault) yield { span: pattern.span, message: fault.message };
  }
  const schema = findValue(assertion, 'schema');
  for (const { span, message, severity } of schema ? parseSchema(schema).problems : []) {
    yield { span, message, ...(severity ? { severity } : {}) };
  }
}
