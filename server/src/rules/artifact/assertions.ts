/** Checks the assertions in templates, examples and samples (docs/format.md, section 5). */
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { SchemaProblem } from '../../languages/schema/schema.ts';
import { insertEntry, removeEntry } from '../../languages/yaml/edit.ts';
import { findEntry, listItems, stringOf, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { assertionProblems, problemsWithin } from '../../skill/assertion-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { TextEdit } from '../../text.ts';
import { olderCheck } from '../../vocabulary/older-checks.ts';

/**
 * Reports the problems in a list of assertions, which is in the metadata of an artifact or in the expectations of a
 * sample.
 */
export function* checkAssertions(file: SkillFile, assertions: YamlNode | undefined): Iterable<Draft> {
  for (const assertion of listItems(assertions)) {
    if (assertion.kind !== 'map') continue;
    for (const { span, message, severity, surplus } of assertionProblems(assertion)) {
      const edits = surplus === undefined ? [] : removeEntry(file.text, assertion, surplus);
      const fixes = fixHere(file, `Remove \`${surplus}\``, edits);
      yield { span, message, fixes, ...(severity ? { severity } : {}) };
    }
    yield* olderSpelling(file, assertion);
  }
}

function* olderSpelling(file: SkillFile, assertion: YamlMap): Iterable<Draft> {
  const entry = findEntry(assertion, 'check');
  const older = olderCheck(stringOf(entry?.value));
  if (!entry || !older) return;
  const { check, type, unit } = older;
  const typed = findEntry(assertion, 'type');
  const isTyped = typed !== undefined;
  if (typed && stringOf(typed.value) !== type) {
    yield {
      span: entry.key.span,
      severity: 'hint',
      message: `\`check: ${check}\` is an older spelling of \`type: ${type}\`, and has no effect beside another \`type\`. Remove it.`,
      fixes: fixHere(file, 'Remove `check`', removeEntry(file.text, assertion, 'check')),
    };
    return;
  }
  const wantsUnit = unit !== undefined && !findEntry(assertion, 'unit');
  const write = (key: string, value: string): readonly TextEdit[] => [
    { span: entry.key.span, newText: key },
    { span: entry.value.span, newText: value },
  ];
  const ofUnit = wantsUnit ? insertEntry(file.text, assertion, 'unit', unit) : [];
  const removed = (): readonly TextEdit[] => removeEntry(file.text, assertion, 'check');
  const edits = !isTyped ? [...write('type', type), ...ofUnit] : wantsUnit ? write('unit', unit) : removed();
  const today = unit === undefined ? `type: ${type}` : `type: ${type}, unit: ${unit}`;
  yield {
    span: entry.key.span,
    severity: 'hint',
    tag: 'deprecated',
    message: `\`check: ${check}\` is an older spelling of \`${today}\`. Replace it.`,
    fixes: fixHere(file, `Replace with \`${today}\``, edits, true),
  };
}

/** Returns the problems in the patterns and schemas of a list of assertions. */
export const problemsOfAssertions = (assertions: YamlNode | undefined): readonly SchemaProblem[] =>
  listItems(assertions).flatMap((assertion) => (assertion.kind === 'map' ? problemsWithin(assertion) : []));
