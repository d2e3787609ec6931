/** Names that stand twice in a list of a skill or of a catalog (docs/format.md, sections 2 and 6). */
import type { Draft } from '../../finding.ts';
import { findValue, jsonOf } from '../../languages/yaml/node.ts';
import { findSkillEntry, itemsOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { removeFromList } from './removals.ts';

interface NameList {
  readonly key: string;
  readonly noun: string;
  /** The key of an item's name. */
  readonly under: string;
}

const IN_CATALOGS: readonly NameList[] = [
  { key: 'tools', noun: 'tool', under: 'name' },
  { key: 'profiles', noun: 'profile', under: 'name' },
  { key: 'interrupts', noun: 'interrupt', under: 'name' },
];

const IN_SKILLS: readonly NameList[] = [
  { key: 'tools', noun: 'tool', under: 'name' },
  { key: 'interrupts', noun: 'interrupt', under: 'name' },
  { key: 'errors', noun: 'error', under: 'code' },
  { key: 'examples', noun: 'example', under: 'name' },
  { key: 'surfaces', noun: 'surface', under: 'name' },
];

/** A second declaration of one name: what the two say may differ, and only one of them counts. */
export function* duplicateNames(file: SkillFile): Iterable<Draft> {
  const { dialect, frontmatter, uri } = file;
  const { root } = frontmatter.tree;
  const isCatalog = dialect === 'catalog';
  for (const { key, noun, under } of isCatalog ? IN_CATALOGS : IN_SKILLS) {
    const list = isCatalog ? findValue(root, key) : findSkillEntry(root, key)?.value;
    const seen = new Map<string, { readonly span: Span; readonly json: string }>();
    for (const [{ name, span }, map] of itemsOf(list, under)) {
      // A name alone, in a catalog, is a wrong value.
      if (isCatalog && !map) continue;
      const json = JSON.stringify(jsonOf(map));
      const first = seen.get(name);
      if (!first) {
        seen.set(name, { span, json });
        continue;
      }
      const isSame = first.json === json;
      yield {
        ...(isSame ? { severity: 'warning' as const } : {}),
        span,
        message: isSame
          ? `The ${noun} \`${name}\` is declared a second time here, in the same words. Remove one of the two.`
          : `The ${noun} \`${name}\` is declared a second time here, and only ${isCatalog ? 'the last one' : 'one of the two'} counts. Remove one of them, or give it another name.`,
        related: [{ uri, span: first.span, message: 'It is declared here first.' }],
        fixes: removeFromList(file, key, span, 'Remove this entry', isSame),
      };
    }
  }
}
