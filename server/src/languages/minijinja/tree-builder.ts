/**
 * Builds the tree from tags and tracks the open blocks. Each mistake is reported once, so an incomplete block must
 * not cause problems in other blocks.
 */
import type { Span } from '../../text.ts';
import {
  type Body,
  type Branch,
  type Name,
  type Node,
  problemAt,
  replacement,
  type Tag,
  type TemplateProblem,
} from './ast.ts';
import { BLOCK_KINDS, type BlockKind, isBlock } from './keywords.ts';
import type { EndHead, Head, OpeningHead, SimpleHead } from './statements.ts';
import { DEPTH_LIMIT, type TagParser } from './tag-parser.ts';

/** An open block. `nodes` collects the current body, which starts at `bodyStart` (an offset in the file). */
interface UnfinishedBlock {
  readonly kind: BlockKind;
  /**
   * Undefined for a misspelt or too deeply nested statement, whose end tag is expected, but whose content belongs to
   * the enclosing block.
   */
  readonly head: OpeningHead | undefined;
  readonly tag: Tag;
  nodes: Node[];
  bodyStart: number;
  /** The branches of an `if` before the current one. */
  readonly branches: Branch[];
  branchTag: Tag;
  condition: Branch['condition'] | undefined;
  /** The body of a `for`, set when its `else` is reached. */
  body: Body | undefined;
  inElse: boolean;
  /**
   * True if a missing end tag is not reported, because the opening tag already has a problem, or because the end tag
   * was probably used for another block.
   */
  mayStayOpen: boolean;
  /** Problems that are reported only if the block is closed. */
  readonly pending: TemplateProblem[];
}

/** The limit for open blocks. Deeper blocks are only counted, so that searches through the open blocks stay fast. */
const OPEN_LIMIT = 1000;

export class TreeBuilder {
  readonly parser: TagParser;
  readonly root: Node[] = [];
  readonly tags: Tag[] = [];
  /** The open blocks, innermost last. */
  readonly open: UnfinishedBlock[] = [];
  /** The names of the blocks so far, with their spans. */
  readonly names = new Map<string, Span>();
  /**
   * The offsets of unknown and incomplete tags, which may be intended to open or close any block. Each of these tags
   * suppresses one report of a block without an end tag, or of an end tag without a block.
   */
  readonly ambiguousTags: number[] = [];
  /**
   * The number of reports to suppress for each end tag (such as `endif`), because the opening tag is unknown or the end
   * tag of an outer block already closed the inner block.
   */
  private readonly ignoredEnds = new Map<string, number>();
  private skippedBlocks = 0;

  constructor(parser: TagParser) {
    this.parser = parser;
  }

  append(node: Node): void {
    (this.open.at(-1)?.nodes ?? this.root).push(node);
  }

  /** Opens a block. If the block has no `head` or is nested too deeply, its content belongs to the enclosing block. */
  begin(kind: BlockKind, head: OpeningHead | undefined, tag: Tag, isBroken: boolean): void {
    const { open } = this;
    if (open.length >= OPEN_LIMIT) {
      this.skippedBlocks++;
      return;
    }
    const isTooDeep = open.length >= DEPTH_LIMIT;
    const isFlat = head === undefined || isTooDeep;
    open.push({
      kind,
      head: isFlat ? undefined : head,
      tag,
      nodes: isFlat ? (open.at(-1)?.nodes ?? this.root) : [],
      bodyStart: tag.span.end,
      branches: [],
      branchTag: tag,
      condition: head?.kind === 'if' ? head.condition : undefined,
      body: undefined,
      inElse: false,
      mayStayOpen: isBroken || isTooDeep,
      pending: [],
    });
  }

  /** Starts a new branch at `else` or `elif`. `condition` is the condition of `elif`. */
  startBranch(block: UnfinishedBlock, tag: Tag, condition: Branch['condition'] | undefined): void {
    const body = bodyOf(block, tag.span.start);
    if (block.kind === 'for') block.body ??= body;
    else block.branches.push({ tag: block.branchTag, condition: block.condition ?? missingCondition(block), body });
    if (block.head !== undefined) block.nodes = [];
    block.bodyStart = tag.span.end;
    block.branchTag = tag;
    block.condition = condition;
    if (condition === undefined) block.inElse = true;
  }

  /** Closes the block that an end tag names, and the open blocks inside it. Returns false if no open block matches. */
  close(head: EndHead, tag: Tag): boolean {
    const { open, parser } = this;
    const { closes, word } = head;
    if (this.skippedBlocks > 0) {
      this.skippedBlocks--;
      return true;
    }
    const index = open.findLastIndex(({ kind }) => kind === closes);
    const block = open[index];
    if (block === undefined) {
      if (!this.consumeIgnoredEnd(word.text) && this.ambiguousTags.pop() === undefined) this.reportStray(head);
      return false;
    }
    while (open.length - 1 > index) this.closeWithoutEnd(tag.span.start, word);
    open.pop();
    this.finish(block, tag.span.start, tag.span.end);
    const outer = block.mayStayOpen ? open.findLast(({ kind }) => kind === closes) : undefined;
    if (outer !== undefined) outer.mayStayOpen = true;
    for (const problem of block.pending) parser.report(problem);
    this.checkTrailingName(block, head);
    return true;
  }

  /** Returns true if an end tag with this keyword is not reported, and decrements its number of suppressed reports. */
  consumeIgnoredEnd(word: string): boolean {
    const left = this.ignoredEnds.get(word) ?? 0;
    if (left > 0) this.ignoredEnds.set(word, left - 1);
    return left > 0;
  }

  ignoreEnd(word: string): void {
    this.ignoredEnds.set(word, (this.ignoredEnds.get(word) ?? 0) + 1);
  }

  /**
   * Closes the innermost block at the offset `end`, because the tag `cause` or the end of the text comes before its end
   * tag.
   */
  closeWithoutEnd(end: number, cause?: Name): void {
    const block = this.open.pop() as UnfinishedBlock;
    const { kind, tag } = block;
    this.finish(block, end, end);
    const word = `end${kind}`;
    if (cause !== undefined) this.ignoreEnd(word);
    if (block.mayStayOpen) return;
    if ((this.ambiguousTags.at(-1) ?? -1) > tag.span.start) {
      this.ambiguousTags.pop();
      return;
    }
    const message = `\`{% ${kind} %}\` is not closed. Add \`{% ${word} %}\`.`;
    const related = cause ? [{ span: cause.span, message: `\`${cause.text}\` belongs to an outer block.` }] : [];
    this.parser.report(problemAt('unclosed-block', tag.span, message, { related }));
  }

  private reportStray({ word, closes }: EndHead): void {
    const block = this.open.at(-1);
    if (block === undefined) {
      const message = `\`${word.text}\` has no matching \`{% ${closes} %}\`. Remove the tag.`;
      this.parser.report(problemAt('stray-tag', word.span, message));
      return;
    }
    // The author probably wrote the wrong end tag, so the open block is not reported as well.
    block.mayStayOpen = true;
    const right = `end${block.kind}`;
    const message = `\`${word.text}\` does not close \`{% ${block.kind} %}\`. Write \`${right}\`.`;
    const related = [{ span: block.tag.span, message: `\`{% ${block.kind} %}\` starts here.` }];
    this.parser.report(problemAt('stray-tag', word.span, message, { related, fix: replacement(word.span, right) }));
  }

  private checkTrailingName({ head, tag }: UnfinishedBlock, { trailing }: EndHead): void {
    if (trailing === undefined || head?.kind !== 'block' || trailing.text === head.name.text) return;
    const { text } = head.name;
    const message = `This tag closes the block \`${text}\`, not \`${trailing.text}\`. Correct or remove the name.`;
    const related = [{ span: tag.span, message: `\`${text}\` starts here.` }];
    const fix = replacement(trailing.span, text);
    this.parser.report(problemAt('unexpected', trailing.span, message, { related, fix }));
  }

  /** Creates the node of a closed block and appends it to the enclosing block. */
  private finish(block: UnfinishedBlock, bodyEnd: number, end: number): void {
    const { head, tag, branches, condition } = block;
    if (head === undefined) return;
    const span = { start: tag.span.start, end };
    const body = bodyOf(block, bodyEnd);
    if (head.kind === 'if') {
      if (condition !== undefined) branches.push({ tag: block.branchTag, condition, body });
      this.append({ kind: 'if', span, tag, branches, ...(condition === undefined && { otherwise: body }) });
    } else if (head.kind === 'for' && block.body !== undefined) {
      this.append({ span, tag, ...head, body: block.body, otherwise: body });
    } else {
      if (head.kind === 'block' && head.required) this.checkRequired(tag, body);
      this.append({ span, tag, ...head, body });
    }
  }

  private checkRequired(tag: Tag, { nodes }: Body): void {
    const { text, base } = this.parser;
    const content = nodes.find(
      ({ kind, span }) =>
        kind !== 'comment' && !(kind === 'text' && text.slice(span.start - base, span.end - base).trim() === ''),
    );
    if (content === undefined) return;
    const message =
      'A required block must be empty, because another template supplies its content. Remove the content.';
    const related = [{ span: tag.span, message: 'The block is marked as required here.' }];
    this.parser.report(problemAt('misplaced-tag', content.span, message, { related }));
  }
}

/** Returns the current body, which ends at `end`. */
const bodyOf = ({ bodyStart, nodes }: UnfinishedBlock, end: number): Body => ({
  span: { start: bodyStart, end: Math.max(bodyStart, end) },
  nodes,
});

/** Returns a placeholder for the missing condition of a branch that a second or misplaced `else` started. */
const missingCondition = ({ branchTag }: UnfinishedBlock): Branch['condition'] => {
  const { end } = branchTag.content;
  return { kind: 'missing', span: { start: end, end } };
};

/**
 * Adds a parsed tag to the tree: checks its position and opens, divides or closes blocks. `isBroken` marks a tag whose
 * problem is already reported; no other problem of the tag is reported.
 */
export function addTagToTree(tree: TreeBuilder, head: Head, tag: Tag, isBroken: boolean): void {
  switch (head.kind) {
    case 'end':
      if (!tree.close(head, tag)) tree.append({ kind: 'unknown', span: tag.span, tag, name: head.word });
      return;
    case 'else':
    case 'elif':
      placeDivision(tree, head, tag, isBroken);
      return;
    case 'unknown':
      placeUnknown(tree, head, tag);
      return;
  }
  if (isOpening(head)) {
    if (head.kind === 'block' && !isBroken) checkBlock(tree, head);
    tree.begin(BLOCK_KINDS[head.kind], head, tag, isBroken);
  } else {
    if ((head.kind === 'break' || head.kind === 'continue') && !isBroken) checkLoop(tree, head.kind, tag);
    tree.append({ span: tag.span, tag, ...head });
  }
}

const isOpening = (head: OpeningHead | SimpleHead): head is OpeningHead => head.kind in BLOCK_KINDS;

function checkBlock({ parser, names, open }: TreeBuilder, { name }: OpeningHead & { kind: 'block' }): void {
  const macro = open.find(({ kind }) => kind === 'macro' || kind === 'call');
  const first = names.get(name.text);
  if (macro !== undefined) {
    const message = `A block is not allowed inside \`{% ${macro.kind} %}\`. Move it out.`;
    const related = [{ span: macro.tag.span, message: `\`{% ${macro.kind} %}\` starts here.` }];
    macro.pending.push(problemAt('misplaced-tag', name.span, message, { related }));
  } else if (first !== undefined) {
    const message = `Duplicate block \`${name.text}\`. Rename one of the two.`;
    const related = [{ span: first, message: 'The first block with this name is here.' }];
    parser.report(problemAt('duplicate-block', name.span, message, { related }));
  } else names.set(name.text, name.span);
}

function placeDivision(tree: TreeBuilder, head: Head & { kind: 'else' | 'elif' }, tag: Tag, isBroken: boolean): void {
  const { parser, open, ambiguousTags } = tree;
  const { kind, word } = head;
  const fits = (block: UnfinishedBlock) => block.kind === 'if' || (block.kind === 'for' && kind === 'else');
  // Skips unclosed blocks inside the `if`. A `for` inside the `if` has its own `else`.
  const target = open.findLast(fits);
  if (target === undefined) {
    if (!isBroken && ambiguousTags.length === 0) {
      const message = `\`${word.text}\` has no matching \`{% if %}\`. Add the \`{% if %}\`, or remove the tag.`;
      parser.report(problemAt('stray-tag', word.span, message));
      // The next end tag without a block probably belongs to the missing opening tag, so it is not reported.
      ambiguousTags.push(tag.span.start);
    }
    tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
    return;
  }
  while (open.at(-1) !== target) tree.closeWithoutEnd(tag.span.start, word);
  if (target.inElse && !isBroken) {
    const message = `\`${word.text}\` is not allowed after \`else\`, the last branch of \`{% ${target.kind} %}\`. Move or remove it.`;
    const related = [{ span: target.branchTag.span, message: 'The `else` is here.' }];
    parser.report(problemAt('misplaced-tag', word.span, message, { related }));
  }
  if (target.kind === 'for' && target.inElse) tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
  else tree.startBranch(target, tag, head.kind === 'elif' ? head.condition : undefined);
}

/** Handles a misspelt statement like its correction, so that its end tag is not reported as a second problem. */
function placeUnknown(tree: TreeBuilder, { word, meant = '' }: Head & { kind: 'unknown' }, tag: Tag): void {
  const isIgnoredEnd = word.text.startsWith('end') && tree.consumeIgnoredEnd(word.text);
  if (isIgnoredEnd) tree.parser.problems.pop();
  const closes = meant.startsWith('end') ? meant.slice(3) : '';
  if (!isIgnoredEnd && isBlock(closes) && tree.open.some(({ kind }) => kind === closes)) {
    tree.close({ kind: 'end', word, closes }, tag);
    return;
  }
  tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
  if (isIgnoredEnd) tree.ambiguousTags.pop();
  else if (isBlock(meant) && meant !== 'set') tree.begin(meant, undefined, tag, true);
  else tree.ambiguousTags.push(tag.span.start);
  if (!isIgnoredEnd && word.text !== '') tree.ignoreEnd(`end${word.text}`);
}

/**
 * Checks that `break` or `continue` is directly in a loop, not in the loop's `else` or in a macro or block inside the
 * loop.
 */
function checkLoop({ parser, open }: TreeBuilder, word: 'break' | 'continue', tag: Tag): void {
  const loop = open.findLast(
    ({ kind, inElse }) => (kind === 'for' && !inElse) || kind === 'macro' || kind === 'call' || kind === 'block',
  );
  if (loop?.kind === 'for') {
    parser.recordNewerSyntax('loop-controls', tag.span);
    return;
  }
  const start = parser.text.indexOf(word, tag.content.start - parser.base);
  const message = `\`${word}\` is only allowed inside a \`{% for %}\` loop.`;
  parser.problems.push(problemAt('misplaced-tag', parser.spanAt(start, start + word.length), message));
}
