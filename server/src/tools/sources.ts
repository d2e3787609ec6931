/** Reads the sources of tools in a catalog: `- from: FILE`, with `servers` (docs/tools.md). */

import type { Analysis } from '../analysis/analysis.ts';
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import { namesOf } from '../skill/contract.ts';
import { toolMentionsByName } from '../skill/mentions.ts';
import type { SkillFile } from '../skill/skill-file.ts';

export interface ToolSource {
  /** As written. */
  readonly from: string;
  /** Undefined means all servers in the file. */
  readonly servers: readonly string[] | undefined;
}

export const toolSources = ({ frontmatter }: SkillFile): readonly ToolSource[] =>
  listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((item) => {
    const from = stringOf(findValue(item, 'from'));
    const servers = findValue(item, 'servers');
    if (from === undefined || from.trim() === '') return [];
    return [{ from, servers: servers && namesOf(servers).map(({ name }) => name) }];
  });

/** A skill that uses a tool from a catalog. */
interface UsingSkill {
  readonly name: string;
  readonly uri: string;
}

/** Returns a function that takes the name of a tool and returns the skills under a catalog that use the tool. */
export function usesUnder(
  analysis: Analysis,
  catalogUri: string,
): (tool: string, server: string | undefined) => readonly UsingSkill[] {
  const files = [...analysis.graph.skills.keys()]
    .filter((uri) => analysis.findCatalog(uri)?.uri === catalogUri)
    .flatMap((uri) => analysis.file(uri) ?? []);
  const named = files.map((file) => ({ file, tools: toolsOf(file) }));
  return (tool, server) =>
    named
      .filter(({ file, tools }) => tools.has(tool) || callsByClient(file, tool, server))
      .map(({ file }) => ({ name: file.contract.name?.name ?? 'a skill without a name', uri: file.uri }))
      .sort((a, b) => compare(a.name, b.name) || compare(a.uri, b.uri));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const toolsOf = (file: SkillFile): ReadonlySet<string> =>
  file.dialect === 'agent-skill'
    ? new Set()
    : new Set([...file.contract.tools.map(({ name }) => name), ...toolMentionsByName(file).keys()]);

/** Returns whether a `SKILL.md` names a server's tool in the form that clients use, `mcp__SERVER__TOOL`. */
const callsByClient = (file: SkillFile, tool: string, server: string | undefined): boolean =>
  file.dialect === 'agent-skill' && server !== undefined && isWordOf(`mcp__${server}__${tool}`, file.text);

function isWordOf(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text.charAt(at + word.length))) return true;
  }
  return false;
}
