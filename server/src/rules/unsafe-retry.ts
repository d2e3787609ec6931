import type { Fix } from '../finding.ts';
import { namedOf } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { formatScalar, insertEntry, setScalar } from '../skill/yaml/edit.ts';
import { findEntry, findValue, type YamlMap, type YamlNode } from '../skill/yaml/node.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

export const unsafeRetry: Rule = {
  name: 'unsafe-retry',
  code: 'unsafe-retry',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, section 6' },
  dialects: SKILLS,
  *check(_, document) {
    const policy = findValue(document.frontmatter.tree.root, 'policy');
    const retry = findValue(policy, 'retry');
    const attempts = aboveLimit(retry, 'attempts', 0) ?? aboveLimit(retry, 'max_attempts', 1);
    if (policy?.kind !== 'map' || !attempts || isRepeatable(policy)) return;
    yield {
      span: attempts.span,
      message:
        'A failed call is tried again here, but nothing says that calling twice is harmless: what the first try already did is done once more. Declare `idempotent: true` if it is, or an `idempotency_key` by which repeats are recognised.',
      fixes: fixesOf(document, policy),
    };
  },
};

function aboveLimit(retry: YamlNode | undefined, key: string, limit: number): YamlNode | undefined {
  const node = findValue(retry, key);
  return node?.kind === 'scalar' && typeof node.value === 'number' && node.value > limit ? node : undefined;
}

/** Undefined is not the same as false, but neither allows a retry. What is written in another type is `invalid-policy`. */
function isRepeatable(policy: YamlMap): boolean {
  const idempotent = findValue(policy, 'idempotent');
  const isFalse = idempotent?.kind === 'scalar' && (idempotent.value === false || idempotent.value === null);
  return (idempotent !== undefined && !isFalse) || namedOf(findValue(policy, 'idempotency_key')) !== undefined;
}

/** Where the author says that it is not idempotent, the key comes first. */
function fixesOf(document: SkillDocument, policy: YamlMap): readonly Fix[] {
  const { text, contract } = document;
  const declared = findEntry(policy, 'idempotent')?.value;
  const inputs = (contract.input?.schema.fields ?? []).map(({ name }) => `{${name}}`).join(':');
  const where = declared ? { after: 'idempotent' } : firstOf(policy);
  const key = inputs === '' ? [] : insertEntry(text, policy, 'idempotency_key', formatScalar(inputs, true), where);
  const declare =
    declared?.kind === 'scalar'
      ? setScalar(text, declared, true)
      : insertEntry(text, policy, 'idempotent', 'true', firstOf(policy));
  const fixes = [
    fixHere(document, 'Declare `idempotent: true`', declare),
    fixHere(document, 'Add an `idempotency_key` over the inputs', key),
  ].filter(({ edits }) => edits.every(({ edits: here }) => here.length > 0));
  return declared ? fixes.reverse() : fixes;
}

function firstOf({ entries: [first] }: YamlMap) {
  return first ? { before: String(first.key.value) } : {};
}
