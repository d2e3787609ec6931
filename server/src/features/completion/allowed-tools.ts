/** Tools in `allowed-tools` and `disallowed-tools` of a `SKILL.md`: one text with blanks between them, or a list. */
import { readToolWords } from '../../skill/tool-words.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import { clientTools } from '../../vocabulary/agent-skill-tools.ts';
import { describeTool } from '../hover/describe-names.ts';
import { ours } from '../markdown.ts';
import { Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { namesBeside, type YamlCursor } from './yaml-place.ts';

const KEYS: ReadonlySet<string | number | undefined> = new Set(['allowed-tools', 'disallowed-tools']);

/** Undefined elsewhere, and within the brackets of a tool. */
export function offerTools(cursor: YamlCursor): Offer | undefined {
  const { file, place } = cursor;
  const { path, role } = place;
  if (!KEYS.has(path[0]) || path.length > 2) return undefined;
  // On a new line below the key a list begins.
  const isBelow = role === 'key' && path.length === 1 && place.siblings.length === 0 && !place.flow;
  if (role === 'key' && !isBelow) return undefined;
  const word = toolAt(sliceOf(file.text, place.span), cursor.offset - place.span.start);
  if (!word) return undefined;
  const taken = new Set([...namesBeside(cursor), ...otherTools(cursor, word)]);
  const proposals = [...ofClients(), ...ofServers(cursor)].filter(({ label }) => !taken.has(label));
  const { start } = place.span;
  return {
    span: span(start + word.start, start + word.end),
    before: isBelow ? '- ' : place.before,
    proposals,
  };
}

/** The word that an offset stands in, between blanks and commas; undefined within brackets. */
function toolAt(text: string, offset: number): Span | undefined {
  const before = text.slice(0, offset);
  if (before.lastIndexOf('(') > before.lastIndexOf(')')) return undefined;
  const start = offset - (/[^\s,]*$/.exec(before)?.[0].length ?? 0);
  return span(start, offset + (/^[^\s,()]*/.exec(text.slice(offset))?.[0].length ?? 0));
}

function otherTools({ file, place }: YamlCursor, word: Span): readonly string[] {
  const text = sliceOf(file.text, place.span);
  return [text.slice(0, word.start), text.slice(word.end)].flatMap((part) => readToolWords(part).words);
}

const ofClients = (): readonly Proposal[] =>
  clientTools.flatMap(({ client, name, docs, pattern }): readonly Proposal[] => [
    { label: name, kind: Kind.Function, detail: client, docs: ours(docs) },
    ...(pattern === undefined
      ? []
      : [
          {
            label: `${name}(…)`,
            kind: Kind.Snippet,
            detail: client,
            docs: ours(`${docs} Only what the pattern allows.`),
            insert: `${name}(${pattern})`,
            isSnippet: true,
            filter: name,
          },
        ]),
  ]);

/** The tools of MCP servers, as Claude Code calls them; a name that YAML would have to quote is left out. */
function ofServers({ analysis, file }: YamlCursor): readonly Proposal[] {
  const tools = [...analysis.catalogOf(file.uri).tools.values()].slice(0, MAX_TOOLS);
  return tools.flatMap((tool): readonly Proposal[] => {
    const label = `mcp__${tool.server}__${tool.name}`;
    if (tool.server === undefined || !/^[\w.-]+$/.test(label)) return [];
    return [{ label, kind: Kind.Function, detail: tool.server, docs: () => describeTool(tool), rank: Rank.near }];
  });
}

/** How many tools of servers are offered at most. */
const MAX_TOOLS = 2_000;
