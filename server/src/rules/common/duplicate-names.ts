/** Names that a catalog declares twice (docs/format.md, section 6). */
import type { Draft } from '../../finding.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { itemsOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

const LISTS = { tools: 'tool', profiles: 'profile', interrupts: 'interrupt' } as const;

export function* duplicateNames({ uri, frontmatter }: SkillFile): Iterable<Draft> {
  for (const [key, noun] of Object.entries(LISTS)) {
    const seen = new Map<string, Span>();
    for (const [{ name, span }, map] of itemsOf(findValue(frontmatter.tree.root, key), 'name')) {
      if (!map) continue;
      const first = seen.get(name);
      if (!first) seen.set(name, span);
      else {
        yield {
          span,
          message: `The ${noun} \`${name}\` is declared a second time here, and only the last one counts. Remove one of them, or give it another name.`,
          related: [{ uri, span: first, message: 'It is declared here first.' }],
        };
      }
    }
  }
}
