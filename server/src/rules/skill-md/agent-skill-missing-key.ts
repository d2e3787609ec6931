import { type Draft, type Fix, fixHere } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import { draftOfMissingKey, hasFrontmatter, placeholderDraft } from '../../skill/insert-key.ts';
import { kebabName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, lineStart, sliceOf, span } from '../../text.ts';
import type { MisspeltEntry } from '../../vocabulary/agent-skill-clients.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { keyProblems, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { findSecondFrontmatter, foreignEntriesOf, nameOf, renameMisspelt, STANDARD } from './entries.ts';

export const agentSkillMissingKey: Rule = {
  name: 'agent-skill-missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file) {
    if (!hasFrontmatter(file)) return;
    const notKeys = valueProblems(file, undefined).find(({ key }) => key === '');
    if (notKeys) {
      yield { span: notKeys.span, message: NO_KEYS_MESSAGE, about: ['name', 'description'], fixes: asKeys(file) };
      return;
    }
    const placeholder = placeholderDraft(file);
    if (placeholder) yield placeholder;
    const missing = keyProblems(file, 'missing-key');
    if (missing.length === 0) return;
    const { misspelt } = foreignEntriesOf(file);
    // `agent-skill-split-frontmatter` reports these keys where they are.
    const afterFence = new Set(file.derive(findSecondFrontmatter)?.entries.map(nameOf));
    for (const { key, span } of missing) {
      if (afterFence.has(key)) continue;
      const written = misspelt.find(({ meant }) => meant === key);
      const draft = written
        ? draftOfMisspelt(file, written)
        : draftOfMissingKey(file, key, span, ADVICE.get(key) ?? '');
      yield { ...draft, about: written ? [key, nameOf(written.entry)] : [key] };
    }
  },
};

const NO_KEYS_MESSAGE = 'The frontmatter has no keys. Add `name: …` and `description: …`, each on its own line.';

/** Offers to write a list of entries as keys, or a text as the `description`. */
function asKeys(file: SkillFile): readonly Fix[] {
  const { text, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (root?.kind === 'scalar' && typeof root.value === 'string' && !/[\r\n]/.test(sliceOf(text, root.span).trim())) {
    const name = kebabName(nameFromUri(file.uri));
    const keys = [...(name ? [`name: ${formatScalar(name)}`] : []), `description: ${formatScalar(root.value)}`];
    const newText = keys.join(lineBreakOf(text));
    return fixHere(file, 'Write it as the `description`', [{ span: root.span, newText }]);
  }
  if (root?.kind !== 'list' || root.flow) return [];
  const isEntry = (item: YamlNode): boolean =>
    item.kind === 'map' && !item.flow && item.entries.length === 1 && !/[\r\n]/.test(sliceOf(text, item.span).trim());
  if (!root.items.every(isEntry)) return [];
  const edits = root.items.map((item) => ({
    span: span(lineStart(text, item.span.start), item.span.start),
    newText: '',
  }));
  return fixHere(file, 'Write the items as keys', edits);
}

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'Add it, with the name of the folder.',
    description: 'Say what the skill does and when to use it.',
  }),
);

/** Reports a mandatory key with a misspelt name as one finding, at that name. */
const draftOfMisspelt = (file: SkillFile, misspelt: MisspeltEntry): Draft => ({
  span: misspelt.entry.key.span,
  message: `Unknown key \`${nameOf(misspelt.entry)}\`. Did you mean \`${misspelt.meant}\`, which is missing?`,
  fixes: renameMisspelt(file, misspelt),
});
