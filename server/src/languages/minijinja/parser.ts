/**
 * The error-tolerant parser for MiniJinja templates: text in, tree and problems out, whatever the text. A template
 * without problems is one that MiniJinja 2.11 loads, apart from `newerSyntax`; what fails only while rendering
 * (an unknown filter, an undefined variable) is no problem here: see `scopes.ts`.
 */
import { span } from '../../text.ts';
import { problemAt, type Tag, type Template, type TemplateExpression, type TemplateProblem } from './ast.ts';
import { Parser } from './expressions.ts';
import { findOpener } from './lexer.ts';
import { parseHead } from './statements.ts';
import { delimitersOf, type TagParser } from './tag-parser.ts';
import { placeTag, TreeBuilder } from './tree-builder.ts';

export type { Template, TemplateExpression, TemplateProblem } from './ast.ts';

/** Parses a whole template. `base` is the offset of `text` in its file. */
export function parseTemplate(text: string, base = 0): Template {
  return new TemplateParser(text, base).template();
}

/** Parses a condition: a bare expression, without delimiters. */
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
    span: parser.at(0, text.length),
    expression,
    problems,
    newerSyntax: parser.newerSyntax,
  };
}

/** The problem of a condition that stands in the delimiters of a template. */
function delimited({ text, base }: TagParser): TemplateProblem | undefined {
  const match = /^\s*\{([{%])[-+]?\s*((?:if\s)?)/.exec(text);
  if (match === null) return undefined;
  const rest = text.slice(match[0].length);
  const closer = rest.search(/[-+]?[%}]\}/);
  const inner = (closer < 0 ? rest : rest.slice(0, closer)).trimEnd();
  const place = span(base + text.search(/\S/), base + text.trimEnd().length);
  const message = 'A condition is an expression already: leave out the delimiters.';
  const fix = { title: `Replace with \`${inner.slice(0, 40)}\``, edit: { span: place, newText: inner } };
  return problemAt('unexpected', place, message, { fix });
}

const RAW_START = /\{%[-+]?[ \t\n\r\f]*raw[ \t\n\r\f]*[-+]?%\}/y;
const RAW_END = /\{%[-+]?[ \t\n\r\f]*endraw[ \t\n\r\f]*[-+]?%\}/g;

/** Reads a template from its start to its end; a method for a tag returns where the text goes on. */
class TemplateParser {
  private readonly parser: Parser;
  private readonly tree: TreeBuilder;
  private commentsEnd = true;
  /** The place in the file of the first raw block that is never closed. */
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
      if (end > offset) tree.append({ kind: 'text', span: parser.at(offset, end), raw: false });
      offset = opener < 0 ? end : this.tagAt(opener);
    }
    while (tree.open.length > 0) tree.abandon(base + text.length);
    const problems = parser.problems
      .filter((problem) => problem.span.start <= this.unclosedRaw)
      .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    const whole = parser.at(0, text.length);
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
    placeTag(tree, value, tag, isBroken);
    return end;
  }

  /** Reads a tag, and reads a broken one again up to its end. */
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

  /** A tag from `start` to `end` whose content lies from `content` to `cut`; without a closer `cut` is `end`. */
  private addTag(kind: Tag['kind'], start: number, content: number, cut: number, end: number): Tag {
    const { parser, tree } = this;
    const mark = (offset: number) => (isMark(parser.text[offset]) ? parser.text[offset] : '') as Tag['trimBefore'];
    const closed = end > cut;
    const tag: Tag = {
      kind,
      span: parser.at(start, end),
      content: parser.at(Math.min(content, cut), cut),
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
   * A raw block is one tag: its content is text, whatever it looks like. One that is never closed is read as if it were
   * not there, but problems behind it go unreported, since it may have been meant to protect their text.
   */
  private raw(start: number, content: number): number {
    const { parser, tree, unclosedRaw } = this;
    const close = unclosedRaw < Number.POSITIVE_INFINITY ? null : matchFrom(RAW_END, parser.text, content);
    if (close === null) {
      this.unclosedRaw = Math.min(unclosedRaw, parser.base + start);
      const message = '`{% raw %}` opened here is never closed: add `{% endraw %}`.';
      parser.report(problemAt('unclosed-block', parser.at(start, content), message));
      this.addTag('raw', start, content, content, content);
      return content;
    }
    const end = close.index + close[0].length;
    this.addTag('raw', start, content, close.index, end);
    tree.append({ kind: 'text', span: parser.at(content, close.index), raw: true });
    return end;
  }
}

const isMark = (char: string | undefined): boolean => char === '-' || char === '+';

function unclosedComment(parser: TagParser, start: number, end: number): TemplateProblem {
  const written = parser.text.slice(start, end).trimEnd().length;
  const edit = { span: parser.at(start + written, start + written), newText: ' #}' };
  const fix = { title: 'Add `#}`', edit };
  return problemAt('unclosed-tag', parser.at(start, start + written), '`{#` is never closed: add `#}`.', { fix });
}

/**
 * Where a broken tag ends: at its own closer if that comes before the next tag, else with its line. In the second case
 * it is read again up to there, so that its tree holds nothing of the text behind it.
 */
type TagMode = 'output' | 'block';

/** `cut` is where the content ends and `end` where the tag does: the same where it has no closer. */
interface Extent {
  readonly cut: number;
  readonly end: number;
  readonly readAgain: boolean;
  readonly problem?: TemplateProblem;
}

function extentOf(parser: TagParser, start: number, content: number, mode: TagMode): Extent {
  const { text, failure, failedAt, innerOpener, oddString } = parser;
  if (failure?.kind === 'unclosed-string') return unclosedString(parser, failedAt, mode);
  // A failure right behind a string that spans lines or tags means that its opening quote is never closed.
  const odd = oddString !== undefined && text.slice(oddString.end, failedAt).trim() === '';
  if (odd && (innerOpener < 0 || oddString.start < innerOpener)) return unclosedString(parser, oddString.start, mode);
  if (innerOpener >= 0 && innerOpener <= failedAt) return unclosedTag(parser, start, content, innerOpener, mode);
  const end = scanForEnd(text, failedAt, mode);
  if (end.closer > 0) return { cut: end.offset, end: end.offset + end.closer, readAgain: false };
  return unclosedTag(parser, start, content, end.offset, mode);
}

/** How far the closing quote of a string is looked for behind a problem. */
const STRING_LIMIT = 500;

/** The first closer (either kind) or opener behind a problem; quotes that close on their line are skipped. */
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
      // `}}` in a block tag may close two dicts, if the tag's own closer follows on the line.
      const ahead =
        mode === 'block' && found.endsWith('}}') ? matchFrom(/%\}|\{[{%#]|[\r\n]/g, text, match.index + 2) : undefined;
      if (ahead?.[0] !== '%}') return { offset: match.index, closer: found.length };
      pattern.lastIndex = ahead.index;
    }
  }
  return { offset: text.length, closer: 0 };
}

/** The first match of a global pattern at or after `from`. */
function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** `next` is where the next tag begins, or the end of the text. */
function unclosedTag(parser: TagParser, start: number, content: number, next: number, mode: TagMode): Extent {
  const { text } = parser;
  const line = text.slice(content, next).search(/[\r\n]/);
  const cut = line < 0 ? Math.max(content, next) : content + line;
  const end = Math.max(start + 2, start + text.slice(start, cut).trimEnd().length);
  const [opener, closer] = delimitersOf(mode);
  const message =
    line < 0 && next < text.length
      ? `\`${opener}\` is not closed before the next tag: add \`${closer}\`. A tag cannot hold another; inside one, write \`name\` for \`{{ name }}\`.`
      : `\`${opener}\` is never closed: add \`${closer}\`.`;
  // The fix completes half a closer.
  const half = end > start + 2 && text[end - 1] === closer[0];
  const edit = { span: parser.at(half ? end - 1 : end, end), newText: half ? closer : ` ${closer}` };
  const fix = { title: `Add \`${closer}\``, edit };
  return {
    cut,
    end: cut,
    readAgain: true,
    problem: problemAt('unclosed-tag', parser.at(start, end), message, { fix }),
  };
}

/** The string that opens at `quote` ends where the tag, its line or the next tag does, whichever comes first. */
function unclosedString(parser: TagParser, quote: number, mode: TagMode): Extent {
  const { text } = parser;
  const pattern = mode === 'output' ? /[\r\n]|\{[{%#]|[-+]?\}\}/g : /[\r\n]|\{[{%#]|[-+]?%\}/g;
  const match = matchFrom(pattern, text, quote);
  const cut = match?.index ?? text.length;
  const closer = match?.[0].endsWith('}') === true ? match[0].length : 0;
  const end = quote + text.slice(quote, cut).trimEnd().length;
  const mark = text.slice(quote, quote + 1);
  const message = `This string is never closed: add the closing \`${mark}\`.`;
  const fix = { title: `Add the closing \`${mark}\``, edit: { span: parser.at(end, end), newText: mark } };
  const problem = problemAt('unclosed-string', parser.at(quote, end), message, { fix });
  return { cut, end: cut + closer, readAgain: true, problem };
}
