/** Findings about the tools in `allowed-tools` and similar keys: misspelt names, and malformed brackets. */
import { type AllowedTool, isShell, toolsUnder } from '../../abilities/permissions.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import {
  clientsFor,
  findMeantMcpName,
  findMeantTool,
  isToolOfClient,
  type KnownServers,
  type MeantMcpName,
  readMcpName,
  serversFor,
  toolKeysOf,
} from '../../analysis/client-tools.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { didYouMean } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, type Span, sliceOf, span } from '../../text.ts';

/** Reports the names that are clearly misspelt. A client or a server that is not known may have any other name. */
export function* misspeltTools(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  for (const key of toolKeysOf(analysis, file)) {
    const tools = toolsUnder(file, key);
    const names = tools.map(({ name }) => name);
    for (const { name, span: place } of tools) {
      const nameSpan = span(place.start, place.start + name.length);
      // Another rule reports brackets. An escape or a line break in a quoted value may hide the name.
      if (name.length > MAX_TOOL || /[()[\]{}<>]/.test(name) || sliceOf(file.text, nameSpan) !== name) continue;
      const draft = (message: string, meant: string): Draft => ({
        span: nameSpan,
        severity: 'hint',
        message,
        fixes: replaceName(file, [nameSpan], [meant]),
      });
      const tool = findMeantTool(analysis, file, key, { name, beside: names.filter((one) => one !== name) });
      if (tool !== undefined) {
        yield draft(`Unknown tool \`${name}\`.${didYouMean([tool])}`, tool);
        continue;
      }
      if (isToolOfClient(name) || !usesMcpForm(analysis, file, key)) continue;
      const servers = serversFor(analysis, file.uri);
      if (!/^mcp/i.test(name)) {
        yield* bareMcpTool(file, name, nameSpan, servers);
        continue;
      }
      const meant = findMeantMcpName(name, servers);
      if (meant) yield draft(messageOf(name, meant), meant.name);
    }
  }
}

/** Reports the tool of a known server without the name of the server, with which no client finds the tool. */
function* bareMcpTool(file: SkillFile, name: string, place: Span, servers: KnownServers): Iterable<Draft> {
  const owners = [...servers].flatMap(([server, tools]) => (tools.includes(name) ? [server] : [])).slice(0, 5);
  const [first] = owners;
  if (first === undefined) return;
  const meant = owners.map((server) => `mcp__${server}__${name}`);
  yield {
    span: place,
    severity: 'hint',
    message: `\`${name}\` is a tool of the MCP server \`${first}\`.${didYouMean(meant)}`,
    fixes: replaceName(file, [place], meant),
  };
}

const usesMcpForm = (analysis: Analysis, file: SkillFile, key: string): boolean =>
  clientsFor(analysis, file, key).some(({ tools }) => tools?.value.mcp?.startsWith('mcp__'));

function messageOf(name: string, { name: meant, wrong }: MeantMcpName): string {
  const [own, right] = [readMcpName(name), readMcpName(meant)];
  if (wrong === 'server' && own && right) return `Unknown MCP server \`${own.server}\`.${didYouMean([right.server])}`;
  if (wrong === 'tool' && own?.tool && right?.tool)
    return `The MCP server \`${right.server}\` has no tool \`${own.tool}\`.${didYouMean([right.tool])}`;
  return `\`${name}\` is not the form of an MCP tool's name.${didYouMean([meant])}`;
}

// Malformed brackets.

/** A problem of one tool, and the text that should replace `wrong`. Spans are relative to the tool. */
interface Malformed {
  readonly message: string;
  readonly newText: string;
  /** The end of the text to replace; the end of the tool by default. */
  readonly end?: number;
  readonly severity?: 'error';
}

/** Reports brackets that no client can read, and patterns that match no call. */
export function* malformedPatterns(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  for (const key of toolKeysOf(analysis, file)) {
    const tools = toolsUnder(file, key);
    let end = 0;
    for (const [at, tool] of tools.entries()) {
      if (tool.span.start < end) continue;
      const text = withNext(file.text, tool, tools.slice(at + 1));
      const place = span(tool.span.start, tool.span.start + text.length);
      end = place.end;
      // An escape or a line break in a quoted value may hide the tool.
      if (text.length > MAX_TOOL || sliceOf(file.text, place) !== text) continue;
      const found = findMalformed(text, tool);
      if (!found) continue;
      const wrong = span(place.start, place.start + (found.end ?? text.length));
      const newText = found.newText.replaceAll(SEPARATOR, separatorAt(file.text, place.start));
      yield {
        span: wrong,
        severity: found.severity ?? 'warning',
        message: found.message,
        fixes: fixHere(file, `Replace with \`${newText.replace(/\s+/g, ' ')}\``, [{ span: wrong, newText }]),
      };
    }
  }
}

/** The longest tool that is searched for mistakes, in UTF-16 code units. */
const MAX_TOOL = 1_000;

/**
 * Returns the text of a tool, with the next word if that word is the pattern, as in `Bash (git:*)` or `Bash git:*)`,
 * and with the next items if a list is cut at the commas in its brackets, as in `[Bash(git:*, npm:*)]`.
 */
function withNext(text: string, tool: AllowedTool, others: readonly AllowedTool[]): string {
  const {
    text: own,
    name,
    span: { start, end },
  } = tool;
  const [next] = others;
  if (!next) return own;
  if (/^[A-Za-z]\w*\(/.test(own)) {
    const last = others.find((other) => /[()]/.test(other.text));
    const whole = last && !own.includes(')') ? text.slice(start, last.span.end) : '';
    return /^\w+\([^()\r\n"'#]*\)$/.test(whole) ? whole : own;
  }
  if (own !== name || !isToolOfClient(name)) return own;
  const isPattern = next.text.startsWith('(') || /^[^(]*\)$/.test(next.text);
  const isApart =
    isPattern && !isToolOfClient(next.text.slice(0, -1)) && /^ {1,3}$/.test(text.slice(end, next.span.start));
  return isApart ? text.slice(start, next.span.end) : own;
}

/** Stands for the text between two tools. */
const SEPARATOR = '\u0000';

/** Returns the text between two tools: a comma, or a new item in a list of lines. */
function separatorAt(text: string, start: number): string {
  const line = text.slice(Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1, start);
  return /^\s*- $/.test(line) ? `${lineBreakOf(text)}${line}` : ', ';
}

function findMalformed(text: string, { name }: AllowedTool): Malformed | undefined {
  return findUnbalanced(text) ?? findWrongBrackets(text) ?? findMissingSeparator(text) ?? findWrongPattern(text, name);
}

/** Finds a missing bracket, or a bracket too many. Brackets in quotes and after a backslash belong to the command. */
function findUnbalanced(text: string): Malformed | undefined {
  if (/["'`\\]/.test(text)) return undefined;
  const [open, closed] = ['(', ')'].map((sign) => text.split(sign).length - 1) as [number, number];
  if (open > closed) {
    const others = [...text.matchAll(/,|\s+(?=([A-Za-z]\w*))/g)];
    const cut = others.find(
      ({ 0: sign, 1: word = '' }) => sign === ',' || (word !== '' && /^[A-Z]/.test(word) && isToolOfClient(word)),
    );
    const end = cut?.index ?? text.trimEnd().length;
    const own = text.slice(0, end);
    const bare = own.endsWith('(') ? own.slice(0, -1) : own.endsWith(')') ? own.replace('((', '(') : own;
    if (bare !== own) {
      return { message: `\`${own}\` has a \`(\` without \`)\`. Remove it.`, newText: bare, end, severity: 'error' };
    }
    return { message: `\`${own}\` has no closing bracket. Add \`)\`.`, newText: `${own})`, end, severity: 'error' };
  }
  if (open === closed) return undefined;
  const message = `\`${text}\` has a \`)\` without \`(\`. Remove it.`;
  if (open > 0) return text.endsWith('))') ? { message, newText: text.slice(0, -1), severity: 'error' } : undefined;
  const bare = text.slice(0, -1);
  return text.endsWith(')') && isToolOfClient(bare) ? { message, newText: bare, severity: 'error' } : undefined;
}

function findWrongBrackets(text: string): Malformed | undefined {
  const [, tool = '', , inner = ''] = /^([A-Za-z]\w*)( *\(| +|[[{<])(.*)[)\]}>]$/.exec(text) ?? [];
  if (tool === '') return undefined;
  const isPlain = text.startsWith(`${tool}(`) && text.endsWith(')');
  if (!isPlain && isToolOfClient(tool)) {
    const newText = `${tool}(${inner})`;
    return {
      message: `Write the pattern of \`${tool}\` in round brackets directly after the name: \`${newText}\`.`,
      newText,
    };
  }
  return isPlain && inner.trim() === ''
    ? { message: `The brackets of \`${text}\` are empty. Remove them, or name the allowed calls.`, newText: tool }
    : undefined;
}

function findMissingSeparator(text: string): Malformed | undefined {
  const tools = text.split(/[;|&+/]/);
  if (tools.length > 1 && tools.every((tool) => /^[A-Z]/.test(tool) && isToolOfClient(tool))) {
    return {
      message: `\`${text}\` is several tools. Separate them with spaces or commas.`,
      newText: tools.join(SEPARATOR),
    };
  }
  const [, first, second] = /^([\w-]+\([^()]*\))([A-Za-z][\w(:*) -]*)$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  return {
    message: `A space or a comma is missing between \`${first}\` and \`${second}\`.`,
    newText: `${first}${SEPARATOR}${second}`,
  };
}

function findWrongPattern(text: string, name: string): Malformed | undefined {
  const [, inner] = /^[\w-]+\(\s*(.*?)\s*\)$/s.exec(text) ?? [];
  if (inner === undefined) return undefined;
  if (name === 'WebFetch') {
    const [, host] = /^(?:https?:\/\/|domain:\s+)?((?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+)(?:[/:].*)?$/i.exec(inner) ?? [];
    if (host === undefined) return undefined;
    return {
      message: `\`${text}\` matches no address. Write \`domain:\` and the host.`,
      newText: `WebFetch(domain:${host})`,
    };
  }
  const [, server] = /^mcp__((?:(?!__)[\w-])+)$/.exec(name) ?? [];
  if (server !== undefined && /^[\w-]+$/.test(inner)) {
    const newText = `${name}__${inner}`;
    return { message: `\`${text}\` is not the form of an MCP tool's name. Write \`${newText}\`.`, newText };
  }
  if (!isShell(name)) return undefined;
  if (/["'`\\]/.test(inner)) return undefined;
  const commands = inner.split(/(?:(?<=:\*)\s*(?:&&|\|\||[,;|])|[,;|](?=\s))\s*/);
  const isTool = (word: string): boolean => /^[A-Z]/.test(word) && isToolOfClient(word);
  if (commands.length > 1 && commands.every((command) => COMMAND.test(command) || isTool(command))) {
    const newText = commands.map((command) => (isTool(command) ? command : `${name}(${command})`)).join(SEPARATOR);
    return {
      message: `The brackets of \`${name}\` hold one pattern, but \`${inner}\` is several. Write \`${name}(…)\` for each.`,
      newText,
    };
  }
  const meant = inner
    .replace(/\s*(?::+\s*\*\s*)+$|:$/, ':*')
    // `npx:checkly:*`: the name of a program has no colon.
    .replace(/^(?:[A-Za-z][\w.-]+:(?![*/\\]))+/, (words) => words.replaceAll(':', ' '))
    .replace(/:\*\s*(?=\S)/g, ' * ');
  if (meant === inner || meant.trim() === '') return undefined;
  return {
    message: `\`${text}\` matches no command, because only \`:*\` at the end is special. Write \`${name}(${meant})\`.`,
    newText: `${name}(${meant})`,
  };
}

/** A command in a list of commands, such as `git status` or `npm:*`. */
const COMMAND = /^[a-z][\w.-]*(?::\*|(?: [\w./:@*=-]+)*)$/;
