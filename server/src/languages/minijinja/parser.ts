/**
 * The error-tolerant parser for MiniJinja templates. Returns a tree and a list of problems for every text. MiniJinja
 * 2.11 loads a template if and only if the list is empty (not counting `newerSyntax`). Rendering errors, such as an
 * unknown filter or an undefined variable, are not in this list; see `scopes.ts`.
 */
import { span } from '../../text.ts';
import { problemAt, type Tag, type Template, type TemplateExpression, type TemplateProblem } from './ast.ts';
import { Parser } from './expressions.ts';
import { findOpener } from './lexer.ts';
import { parseHead } from './statements.ts';
import { delimitersOf, type TagParser } from './tag-parser.ts';
import { addTagToTree, TreeBuilder } from './tree-builder.ts';

export type { Template, TemplateExpression, TemplateProblem } from './ast.ts';

/** Parses a template. `base` is the offset of `text` in its file, in UTF-16 code units. Never throws. */
export function parseTemplate(text: string, base = 0): Template {
  return new TemplateParser(text, base).template();
}

/**
 * Parses a condition, which is an expression without delimiters. `base` has the same meaning as in `parseTemplate`.
 * Never throws.
 */
export function parseExpression(text: string, base = 0): TemplateExpression {
  const parser = new Parser(text, base);
  parser.beginTag('expression', 0, text.length);
  const expression = parser.expression();
  if (parser.kind !== 'eof') parser.failHere('the end of the expression');
  const problems = parser.failure === undefined ? [] : [delimited(parser) ?? parser.failure];
  return {
    kind: 'expression',
    text,
    base,
    span: parser.spanAt(0, text.length),
    expression,
    problems,
    newerSyntax: parser.newerSyntax,
  };
}

/** Returns the problem with a condition that is written in template delimiters. */
function delimited({ text, base }: TagParser): TemplateProblem | undefined {
  const match = /^\s*\{([{%])[-+]?\s*((?:if\s)?)/.exec(text);
  if (match === null) return undefined;
  const rest = text.slice(match[0].length);
  const closer = rest.search(/[-+]?[%}]\}/);
  const inner = (closer < 0 ? rest : rest.slice(0, closer)).trimEnd();
  const place = span(base + text.search(/\S/), base + text.trimEnd().length);
  const message = 'A condition is already an expression. Remove the delimiters.';
  const fix = { title: `Replace with \`${inner.slice(0, 40)}\``, edit: { span: place, newText: inner } };
  return problemAt('unexpected', place, message, { fix });
}

const RAW_START = /\{%[-+]?[ \t\n\r\f]*raw[ \t\n\r\f]*[-+]?%\}/y;
const RAW_END = /\{%[-+]?[ \t\n\r\f]*endraw[ \t\n\r\f]*[-+]?%\}/g;

/** Reads a template from start to end. A method that reads a tag returns the offset of the text after it. */
class TemplateParser {
  private readonly parser: Parser;
  private readonly tree: TreeBuilder;
  private commentsEnd = true;
  /** The offset in the file of the first raw block that is not closed. */
  private unclosedRaw = Number.POSITIVE_INFINITY;

  constructor(text: string, base: number) {
    this.parser = new Parser(text, base);
    this.tree = new TreeBuilder(this.parser);
  }

  template(): Template {
    const { parser, tree } = this;
    const { text, base, newerSyntax } = parser;
    for (let offset = 0; offset < text.length; ) {
      const opener = findOpener(text, offset);
      const end = opener < 0 ? text.length : opener;
      if (end > offset) tree.append({ kind: 'text', span: parser.spanAt(offset, end), raw: false });
      offset = opener < 0 ? end : this.tagAt(opener);
    }
    while (tree.open.length > 0) tree.closeWithoutEnd(base + text.length);
    const problems = parser.problems
      .filter((problem) => problem.span.start <= this.unclosedRaw)
      .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    const whole = parser.spanAt(0, text.length);
    return { kind: 'template', text, base, span: whole, nodes: tree.root, tags: tree.tags, problems, newerSyntax };
  }

  private tagAt(start: number): number {
    const { parser, tree } = this;
    const kind = parser.text[start + 1];
    if (kind === '#') return this.comment(start);
    parser.depth = tree.open.length;
    parser.openBlock = tree.open.at(-1)?.kind;
    if (kind === '{') {
      const { tag, value, end } = this.tag(start, 'output', () => parser.expression());
      tree.append({ kind: 'output', span: tag.span, tag, value });
      return end;
    }
    const raw = matchFrom(RAW_START, parser.text, start);
    if (raw !== null) return this.raw(start, start + raw[0].length);
    const { tag, value, end, isBroken } = this.tag(start, 'block', () => parseHead(parser));
    addTagToTree(tree, value, tag, isBroken);
    return end;
  }

  /** Reads a tag. Reads a broken tag again, up to its end. */
  private tag<Value>(start: number, mode: TagMode, read: () => Value) {
    const { parser } = this;
    const { text, depth } = parser;
    const newer = parser.newerSyntax.length;
    const content = start + 2 + (isMark(text[start + 2]) ? 1 : 0);
    const readUpTo = (limit: number, lenient: boolean): Value => {
      parser.beginTag(mode, content, limit, lenient);
      const value = read();
      parser.expectEnd();
      return value;
    };
    parser.tagStart = start;
    let value = readUpTo(text.length, false);
    const { failure } = parser;
    if (failure === undefined) {
      const tag = this.addTag(mode, start, content, parser.start, parser.end);
      return { tag, value, isBroken: false, end: parser.end };
    }
    const { cut, end, readAgain, problem = failure } = extentOf(parser, start, content, mode);
    if (readAgain) {
      parser.rereadLength += Math.max(0, parser.failedAt - end);
      parser.doubleBracesOpenTag = parser.rereadLength > text.length;
      parser.depth = depth;
      parser.newerSyntax.length = newer;
      value = readUpTo(cut, true);
    }
    parser.depth = depth;
    parser.failure = undefined;
    parser.report(problem);
    return { tag: this.addTag(mode, start, content, cut, end), value, isBroken: true, end };
  }

  /**
   * Adds a tag from `start` to `end` with the content from `content` to `cut`. Without a closer, `cut` equals `end`.
   */
  private addTag(kind: Tag['kind'], start: number, content: number, cut: number, end: number): Tag {
    const { parser, tree } = this;
    const mark = (offset: number) => (isMark(parser.text[offset]) ? parser.text[offset] : '') as Tag['trimBefore'];
    const closed = end > cut;
    const tag: Tag = {
      kind,
      span: parser.spanAt(start, end),
      content: parser.spanAt(Math.min(content, cut), cut),
      closed,
      trimBefore: content > start + 2 ? mark(start + 2) : '',
      trimAfter: closed && end - 3 >= content ? mark(end - 3) : '',
    };
    tree.tags.push(tag);
    return tag;
  }

  private comment(start: number): number {
    const { parser, tree } = this;
    const { text } = parser;
    let content = start + 2 + (isMark(text[start + 2]) ? 1 : 0);
    const close = this.commentsEnd ? text.indexOf('#}', content) : -1;
    let cut = close > content && isMark(text[close - 1]) ? close - 1 : close;
    let end = close + 2;
    if (close < 0) {
      this.commentsEnd = false;
      end = matchFrom(/[\r\n]|\{[{%#]/g, text, start + 2)?.index ?? text.length;
      content = Math.min(content, end);
      cut = end;
      parser.report(unclosedComment(parser, start, end));
    }
    const tag = this.addTag('comment', start, content, cut, end);
    tree.append({ kind: 'comment', span: tag.span, tag });
    return end;
  }

  /**
   * Reads a raw block as one tag with text content. If the block is not closed, its tag is ignored, and later problems
   * are not reported, because the author may have intended the rest of the text as content of the block.
   */
  private raw(start: number, content: number): number {
    const { parser, tree, unclosedRaw } = this;
    const close = unclosedRaw < Number.POSITIVE_INFINITY ? null : matchFrom(RAW_END, parser.text, content);
    if (close === null) {
      this.unclosedRaw = Math.min(unclosedRaw, parser.base + start);
      const message = '`{% raw %}` is not closed. Add `{% endraw %}`.';
      parser.report(problemAt('unclosed-block', parser.spanAt(start, content), message));
      this.addTag('raw', start, content, content, content);
      return content;
    }
    const end = close.index + close[0].length;
    this.addTag('raw', start, content, close.index, end);
    tree.append({ kind: 'text', span: parser.spanAt(content, close.index), raw: true });
    return end;
  }
}

const isMark = (char: string | undefined): boolean => char === '-' || char === '+';

function unclosedComment(parser: TagParser, start: number, end: number): TemplateProblem {
  const written = parser.text.slice(start, end).trimEnd().length;
  const edit = { span: parser.spanAt(start + written, start + written), newText: ' #}' };
  const fix = { title: 'Add `#}`', edit };
  return problemAt('unclosed-tag', parser.spanAt(start, start + written), '`{#` is not closed. Add `#}`.', { fix });
}

type TagMode = 'output' | 'block';

/**
 * The end of a broken tag: its closer if the closer is before the next tag, or else the end of its line. If the tag
 * ends with the line, the tag is read again, so that its tree does not contain text after the tag.
 */
interface Extent {
  /** The end of the content. Equals `end` if the tag has no closer. */
  readonly cut: number;
  readonly end: number;
  readonly readAgain: boolean;
  readonly problem?: TemplateProblem;
}

function extentOf(parser: TagParser, start: number, content: number, mode: TagMode): Extent {
  const { text, failure, failedAt, innerOpener, suspectString } = parser;
  if (failure?.kind === 'unclosed-string') return unclosedString(parser, failedAt, mode);
  // A failure directly after a string with line breaks or tags means that the string is not closed.
  const odd = suspectString !== undefined && text.slice(suspectString.end, failedAt).trim() === '';
  if (odd && (innerOpener < 0 || suspectString.start < innerOpener))
    return unclosedString(parser, suspectString.start, mode);
  if (innerOpener >= 0 && innerOpener <= failedAt) return unclosedTag(parser, start, content, innerOpener, mode);
  const end = scanForEnd(text, failedAt, mode);
  if (end.closer > 0) return { cut: end.offset, end: end.offset + end.closer, readAgain: false };
  return unclosedTag(parser, start, content, end.offset, mode);
}

/** The number of characters after a problem in which the closing quote of a string is searched for. */
const STRING_LIMIT = 500;

/** Returns the first closer (of either kind) or opener after a problem. Skips strings that are closed on their line. */
function scanForEnd(text: string, from: number, mode: TagMode): { offset: number; closer: number } {
  const pattern = /["']|[-+]?[%}]\}|\{[{%#]/g;
  for (let match = matchFrom(pattern, text, from); match !== null; match = pattern.exec(text)) {
    const [found] = match;
    if (found === '"' || found === "'") {
      const line = text.slice(match.index + 1, match.index + STRING_LIMIT).split(/[\r\n]/, 1)[0] ?? '';
      const close = line.indexOf(found);
      if (close >= 0) pattern.lastIndex = match.index + close + 2;
    } else if (found.startsWith('{')) return { offset: match.index, closer: 0 };
    else {
      // `}}` in a block tag can close two dicts, if the closer of the tag follows on the line.
      const ahead =
        mode === 'block' && found.endsWith('}}') ? matchFrom(/%\}|\{[{%#]|[\r\n]/g, text, match.index + 2) : undefined;
      if (ahead?.[0] !== '%}') return { offset: match.index, closer: found.length };
      pattern.lastIndex = ahead.index;
    }
  }
  return { offset: text.length, closer: 0 };
}

/** Returns the first match of a global pattern at or after `from`. */
function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Returns the extent of a tag without a closer. `next` is the start of the next tag, or the end of the text. */
function unclosedTag(parser: TagParser, start: number, content: number, next: number, mode: TagMode): Extent {
  const { text } = parser;
  const line = text.slice(content, next).search(/[\r\n]/);
  const cut = line < 0 ? Math.max(content, next) : content + line;
  const end = Math.max(start + 2, start + text.slice(start, cut).trimEnd().length);
  const [opener, closer] = delimitersOf(mode);
  const message =
    line < 0 && next < text.length
      ? `\`${opener}\` is not closed before the next tag. Add \`${closer}\`, or write \`name\` instead of \`{{ name }}\` inside a tag.`
      : `\`${opener}\` is not closed. Add \`${closer}\`.`;
  // The fix completes a closer of which only the first character is present.
  const half = end > start + 2 && text[end - 1] === closer[0];
  const edit = { span: parser.spanAt(half ? end - 1 : end, end), newText: half ? closer : ` ${closer}` };
  const fix = { title: `Add \`${closer}\``, edit };
  return {
    cut,
    end: cut,
    readAgain: true,
    problem: problemAt('unclosed-tag', parser.spanAt(start, end), message, { fix }),
  };
}

/**
 * Returns the extent of a tag with an unclosed string at `quote`: up to the end of the tag or line, or the next tag.
 */
function unclosedString(parser: TagParser, quote: number, mode: TagMode): Extent {
  const { text } = parser;
  const pattern = mode === 'output' ? /[\r\n]|\{[{%#]|[-+]?\}\}/g : /[\r\n]|\{[{%#]|[-+]?%\}/g;
  const match = matchFrom(pattern, text, quote);
  const cut = match?.index ?? text.length;
  const closer = match?.[0].endsWith('}') === true ? match[0].length : 0;
  const end = quote + text.slice(quote, cut).trimEnd().length;
  const mark = text.slice(quote, quote + 1);
  const message = `This string is not closed. Add the closing \`${mark}\`.`;
  const fix = { title: `Add the closing \`${mark}\``, edit: { span: parser.spanAt(end, end), newText: mark } };
  const problem = problemAt('unclosed-string', parser.spanAt(quote, end), message, { fix });
  return { cut, end: cut + closer, readAgain: true, problem };
}
