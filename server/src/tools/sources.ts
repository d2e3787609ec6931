/** What a catalog says of servers: `- from: FILE`, with `servers` (docs/tools.md). */
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import { namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';

export interface ToolSource {
  /** As written. */
  readonly from: string;
  /** Undefined where all servers of the file are meant. */
  readonly servers: readonly string[] | undefined;
}

export const toolSources = ({ frontmatter }: SkillFile): readonly ToolSource[] =>
  listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((item) => {
    const from = stringOf(findValue(item, 'from'));
    const servers = findValue(item, 'servers');
    if (from === undefined || from.trim() === '') return [];
    return [{ from, servers: servers && namesOf(servers).map(({ name }) => name) }];
  });
