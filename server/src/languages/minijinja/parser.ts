/**
 * The error-tolerant parser for MiniJinja templates: text in, tree and problems out, whatever the text.
 *
 * This is static analysis: nothing here evaluates a template. A template without problems is one that MiniJinja
 * loads, and one with problems is one that it refuses; `newer.ts` lists where we follow versions after 2.11. What the
 * engine only notices while rendering (an unknown filter, an undefined variable) is no problem of the syntax: see
 * `scopes.ts`.
 *
 * - `lexer.ts` reads tokens inside a tag; `literals.ts` knows strings and numbers.
 * - `expressions.ts`, `operands.ts`, `arguments.ts`, `statements.ts`, `targets.ts` read what a tag says, up to its first defect.
 * - `tags.ts` decides how much text a defective tag costs: as a rule itself, and never the rest of the file.
 * - `blocks.ts` matches openings and ends and builds the tree, `placing.ts` says where a statement may stand. This file
 *   ties them together.
 */
import { span } from '../../text.ts';
import type { Expression, Tag, Template, TemplateExpression, TemplateProblem } from './ast.ts';
import { abandon, append, type Blocks, blocksOf } from './blocks.ts';
import { parseConditional, parseExpressionNode } from './expressions.ts';
import { beginTag, findOpener } from './lexer.ts';
import { placeHead } from './placing.ts';
import { findRawEnd, findRawStart, type RawScan } from './raw.ts';
import { at, failHere, type Grammar, Parser, problemAt, report } from './state.ts';
import { parseHead } from './statements.ts';
import { isMark, parseTag, tagOf } from './tags.ts';

export type { Template, TemplateExpression, TemplateProblem } from './ast.ts';

const GRAMMAR: Grammar = { expression: parseExpressionNode, conditional: parseConditional };

/** Parses a whole template. `base` is the offset of `text` in its file. */
export function parseTemplate(text: string, base = 0): Template {
  const parser = new Parser(text, base, GRAMMAR);
  const blocks = blocksOf(parser);
  const tags: Tag[] = [];
  const scan: RawScan = { commentsEnd: true, unclosedRaw: -1 };
  let offset = 0;
  while (offset < text.length) {
    const opener = findOpener(text, offset);
    const end = opener < 0 ? text.length : opener;
    if (end > offset) append(blocks, { kind: 'text', span: at(parser, offset, end), raw: false });
    if (opener < 0) break;
    offset = parseAt(blocks, tags, scan, opener);
  }
  while (blocks.frames.length > 0) abandon(blocks, base + text.length);
  return {
    kind: 'template',
    text,
    base,
    span: span(base, base + text.length),
    nodes: blocks.root,
    tags,
    problems: sorted(parser.problems).filter(
      (problem) => scan.unclosedRaw < 0 || problem.span.start <= scan.unclosedRaw,
    ),
    newer: parser.newer,
  };
}

const sorted = (problems: TemplateProblem[]) =>
  problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);

/** Parses a condition: a bare expression, without delimiters. */
export function parseExpression(text: string, base = 0): TemplateExpression {
  const parser = new Parser(text, base, GRAMMAR);
  beginTag(parser, 'expression', 0, text.length);
  const expression = parseExpressionNode(parser);
  if (parser.kind !== 'eof') failHere(parser, 'the end of the expression');
  const problems = parser.failure === undefined ? [] : [delimited(parser) ?? parser.failure];
  return {
    kind: 'expression',
    text,
    base,
    span: span(base, base + text.length),
    expression,
    problems,
    newer: parser.newer,
  };
}

/** The commonest defect of a condition: it stands in the delimiters of a template. */
function delimited(parser: Parser): TemplateProblem | undefined {
  const match = /^\s*\{([{%])[-+]?\s*((?:if\s)?)/.exec(parser.text);
  if (match === null) return undefined;
  const rest = parser.text.slice(match[0].length);
  const closer = rest.search(/[-+]?[%}]\}/);
  const inner = (closer < 0 ? rest : rest.slice(0, closer)).trimEnd();
  const place = at(parser, parser.text.search(/\S/), parser.text.trimEnd().length);
  const message = 'A condition is an expression already: leave out the delimiters.';
  return problemAt('unexpected', place, message, {
    fix: { title: `Replace with \`${inner.slice(0, 40)}\``, edit: { span: place, newText: inner } },
  });
}

/** One tag, whatever it is, from its opener on; the result is where the text goes on. */
function parseAt(blocks: Blocks, tags: Tag[], scan: RawScan, start: number): number {
  const { parser } = blocks;
  const kind = parser.text[start + 1];
  if (kind === '#') return parseComment(blocks, tags, scan, start);
  parser.depth = blocks.frames.length;
  parser.openBlock = blocks.frames.at(-1)?.kind;
  if (kind === '{') {
    const { tag, value, offset } = parseTag(parser, start, 'output', parseExpressionNode);
    tags.push(tag);
    append(blocks, { kind: 'output', span: tag.span, tag, value: value as Expression });
    return offset;
  }
  const raw = findRawStart(parser.text, start);
  if (raw !== undefined) return parseRaw(blocks, tags, scan, start, raw);
  const { tag, value, defective, offset } = parseTag(parser, start, 'block', parseHead);
  tags.push(tag);
  placeHead(blocks, value, tag, defective);
  return offset;
}

function parseComment(blocks: Blocks, tags: Tag[], scan: RawScan, start: number): number {
  const { parser } = blocks;
  const { text } = parser;
  const content = start + 2 + (isMark(text, start + 2) ? 1 : 0);
  const close = scan.commentsEnd ? text.indexOf('#}', content) : -1;
  if (close < 0) {
    scan.commentsEnd = false;
    const rest = text.slice(start + 2);
    const end = start + 2 + (/[\r\n]|\{[{%#]/.exec(rest)?.index ?? rest.length);
    return pushComment(blocks, tags, start, Math.min(content, end), end, end, unclosedComment(parser, start, end));
  }
  const cut = close > content && isMark(text, close - 1) ? close - 1 : close;
  return pushComment(blocks, tags, start, content, cut, close + 2);
}

function unclosedComment(parser: Parser, start: number, end: number): TemplateProblem {
  const written = parser.text.slice(start, end).trimEnd().length;
  const edit = { span: at(parser, start + written, start + written), newText: ' #}' };
  const message = '`{#` is never closed: add `#}`.';
  return problemAt('unclosed-tag', at(parser, start, start + written), message, { fix: { title: 'Add `#}`', edit } });
}

function pushComment(
  blocks: Blocks,
  tags: Tag[],
  start: number,
  content: number,
  cut: number,
  end: number,
  problem?: TemplateProblem,
): number {
  const { parser } = blocks;
  report(parser, problem);
  const tag = tagOf(parser, 'comment', start, content, cut, end);
  tags.push(tag);
  append(blocks, { kind: 'comment', span: tag.span, tag });
  return end;
}

/**
 * A raw block is one tag: its content is text, whatever it looks like. One that is never closed is read as if it were
 * not there, but what looks wrong behind it may be what it was to protect, and goes unreported.
 */
function parseRaw(blocks: Blocks, tags: Tag[], scan: RawScan, start: number, content: number): number {
  const { parser } = blocks;
  const close = scan.unclosedRaw < 0 ? findRawEnd(parser.text, content) : undefined;
  if (close === undefined) {
    if (scan.unclosedRaw < 0) scan.unclosedRaw = parser.base + start;
    const message = '`{% raw %}` opened here is never closed: add `{% endraw %}`.';
    report(parser, problemAt('unclosed-block', at(parser, start, content), message));
    tags.push(tagOf(parser, 'raw', start, content, content, content));
    return content;
  }
  tags.push(tagOf(parser, 'raw', start, content, close.start, close.end));
  append(blocks, { kind: 'text', span: at(parser, content, close.start), raw: true });
  return close.end;
}
