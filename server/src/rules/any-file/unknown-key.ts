import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { appendItem, formatScalar, removeEntry } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, mapsByKeyOffset, type YamlMap, type YamlNode } from '../../languages/yaml/node.ts';
import { findSkillEntry, namedOf } from '../../skill/contract.ts';
import { insertKey } from '../../skill/insert-key.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, sliceOf, type TextEdit } from '../../text.ts';
import { renameKey, type ShapeProblem } from '../../vocabulary/check-shape.ts';
import type { Rule } from '../engine/rule.ts';
import { draftOf, keyProblems, misspeltMandatoryKeys } from './shape-problems.ts';

export const unknownKey: Rule = {
  name: 'unknown-key',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  readsCertainKeys: true,
  readsTests: true,
  *check(file) {
    // `missing-key` reports a misspelt key without which a required one is missing.
    const misspelt = new Set(file.dialect === 'catalog' ? [] : misspeltMandatoryKeys(file).values());
    const problems = keyProblems(file, 'unknown-key');
    if (problems.length === 0) return;
    const maps = mapsByKeyOffset(file.frontmatter.tree.root);
    const names = new Map<YamlMap | undefined, ReadonlySet<string>>();
    const stubs = stubsWithoutResult(file.frontmatter.tree.root);
    for (const problem of problems) {
      const map = maps.get(problem.span.start);
      const stub = problem.fixes.length === 0 ? map && stubs.get(map) : undefined;
      if (map && stub !== undefined) {
        const isFirst =
          problem === problems.find(({ span, fixes }) => fixes.length === 0 && maps.get(span.start) === map);
        if (isFirst) yield resultOfStub(file, problem, map, stub);
        continue;
      }
      const taken = names.get(map) ?? namesIn(map);
      names.set(map, taken);
      // Renaming a key to an existing key would create a duplicate.
      const free = (problem.meant ?? []).filter((name) => !taken.has(name));
      const fixes = free.map((name) => renameKey(problem.span, name));
      const draft = keyOfEntry(file, problem, map) ?? draftOf(file, { ...problem, fixes });
      // A misspelt key is a warning, because the author expects it to have an effect.
      yield {
        ...(problem.fixes.length > 0 && { severity: 'warning' }),
        ...draft,
        ...(misspelt.has(problem) && { unlessReportedBy: 'missing-key' }),
      };
    }
  },
};

const namesIn = (map: YamlMap | undefined): ReadonlySet<string> =>
  new Set(map?.entries.map(({ key }) => String(key.value)));

/** Returns the stubs of samples without `returns` (docs/format.md, section 2, "Stubs"), with their names. */
function stubsWithoutResult(root: YamlNode | undefined): ReadonlyMap<YamlMap, string> {
  const all = mapEntries(findValue(root, 'samples')).flatMap(({ value }) => mapEntries(findValue(value, 'stubs')));
  return new Map(
    all.flatMap(({ key, value }) =>
      value.kind === 'map' && !findValue(value, 'returns') ? [[value, String(key.value)] as const] : [],
    ),
  );
}

/** Returns the finding for a stub whose keys are the result itself. */
function resultOfStub(file: SkillFile, { span }: ShapeProblem, map: YamlMap, name: string): Draft {
  const written = sliceOf(file.text, map.span);
  const isResult = map.entries.every(({ key }) => !STUB_KEYS.includes(String(key.value)));
  const edits = [{ span: map.span, newText: `{returns: ${written}}` }];
  return {
    severity: 'warning',
    span,
    message: `This key has no effect. Write the result of \`${name}\` under \`returns\`.`,
    fixes: isResult && written.startsWith('{') ? fixHere(file, 'Move the result under `returns`', edits) : [],
  };
}

const STUB_KEYS: readonly string[] = ['returns', 'fails', 'times'];

/** The keys of steps that authors write in entries of `composes`. */
const KEYS_OF_STEPS: readonly string[] = ['condition', 'retry', 'keep_when'];

/** Returns the edits that remove lines and add a key, which may belong at the end of the removed lines. */
function joined(text: string, removed: readonly TextEdit[], added: readonly TextEdit[]): readonly TextEdit[] {
  const [cut] = removed;
  const [put] = added;
  if (!cut || !put) return [];
  if (put.span.start <= cut.span.start || cut.span.end <= put.span.start) return [...removed, ...added];
  const isLine = /[\r\n]$/.test(sliceOf(text, cut.span)) && /^[\r\n]/.test(put.newText);
  return isLine ? [{ span: cut.span, newText: put.newText.replace(/^(?:\r\n|\n|\r)/, '') + lineBreakOf(text) }] : [];
}

/**
 * Returns the finding for a key in an entry of `composes` that has an effect only elsewhere: a version in `requires`,
 * and a condition or a retry in a step of `execution`.
 */
function keyOfEntry(file: SkillFile, { key, span }: ShapeProblem, map: YamlMap | undefined): Draft | undefined {
  const { text, contract, frontmatter } = file;
  const { root } = frontmatter.tree;
  const entry = contract.composes.find((one) => map && contains(map.span, one.span));
  if (entry && KEYS_OF_STEPS.includes(key)) {
    const message = `\`${key}\` has no effect here. Write it in a step of \`execution\`.`;
    return { severity: 'warning', span, message };
  }
  if (key !== 'version' || !entry || !map || root?.kind !== 'map') return undefined;
  const range = namedOf(findValue(map, key))?.name;
  const isRequired = contract.requires.some(({ name }) => name === entry.name);
  const required = `{skill: ${formatScalar(entry.name, true)}, version: ${formatScalar(range ?? '', true)}}`;
  const added = findSkillEntry(root, 'requires')
    ? appendItem(text, root, 'requires', required)
    : insertKey(file, 'requires', `[${required}]`);
  const removed = removeEntry(text, map, key);
  return {
    severity: 'warning',
    span,
    message: '`version` has no effect here. Write the range under `requires`.',
    fixes:
      isRequired || range === undefined
        ? fixHere(file, 'Remove `version`', removed)
        : fixHere(file, 'Move `version` to `requires`', joined(text, removed, added)),
  };
}
