/**
 * Which blocks are open, and the tree that grows from closing them. One mistake is reported once: a block that is still
 * being typed must not make others look broken.
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

/** An open block. `nodes` collects the body that is being read, which began at `bodyStart` (a place of the file). */
interface UnfinishedBlock {
  readonly kind: BlockKind;
  /** Absent for a misspelt statement: it has an end, but its content belongs to the block around it. */
  readonly head: OpeningHead | undefined;
  readonly tag: Tag;
  nodes: Node[];
  bodyStart: number;
  /** What has been read of an `if` before its current branch. */
  readonly branches: Branch[];
  branchTag: Tag;
  condition: Branch['condition'] | undefined;
  /** The body of a `for` whose `else` is being read. */
  body: Body | undefined;
  inElse: boolean;
  /** No problem if it is never closed: its tag is broken, or its end was taken for another block's. */
  mayStayOpen: boolean;
  /** Problems that hold only if the block does end where it seems to. */
  readonly pending: TemplateProblem[];
}

/** Blocks beyond this depth are only counted, so that no search among the open ones takes long. */
const OPEN_LIMIT = 1000;

export class TreeBuilder {
  readonly parser: TagParser;
  readonly root: Node[] = [];
  readonly tags: Tag[] = [];
  /** The open blocks, the innermost last. */
  readonly open: UnfinishedBlock[] = [];
  /** The blocks that have been named, each with the place of its name. */
  readonly names = new Map<string, Span>();
  /**
   * The places of unknown and unfinished tags, which may have been meant to open or close any block. Each excuses one
   * block without an end, or one end without a block.
   */
  readonly unclear: number[] = [];
  /** End words that go unreported, and how often: those of unknown tags, and of blocks that another end closed. */
  private readonly ignoredEnds = new Map<string, number>();
  private uncounted = 0;

  constructor(parser: TagParser) {
    this.parser = parser;
  }

  append(node: Node): void {
    (this.open.at(-1)?.nodes ?? this.root).push(node);
  }

  /** Opens a block; one without a `head`, or nested too deep, leaves its content to the block around it. */
  begin(kind: BlockKind, head: OpeningHead | undefined, tag: Tag, isBroken: boolean): void {
    const { open } = this;
    if (open.length >= OPEN_LIMIT) {
      this.uncounted++;
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

  /** `else` and `elif`; `condition` is the `elif`'s. */
  divide(block: UnfinishedBlock, tag: Tag, condition: Branch['condition'] | undefined): void {
    const body = bodyOf(block, tag.span.start);
    if (block.kind === 'for') block.body ??= body;
    else block.branches.push({ tag: block.branchTag, condition: block.condition ?? missingCondition(block), body });
    if (block.head !== undefined) block.nodes = [];
    block.bodyStart = tag.span.end;
    block.branchTag = tag;
    block.condition = condition;
    if (condition === undefined) block.inElse = true;
  }

  /** Closes the block that an end tag names, and those inside it that are still open; false if there is none. */
  close(head: EndHead, tag: Tag): boolean {
    const { open, parser } = this;
    const { closes, word } = head;
    if (this.uncounted > 0) {
      this.uncounted--;
      return true;
    }
    const index = open.findLastIndex(({ kind }) => kind === closes);
    const block = open[index];
    if (block === undefined) {
      if (!this.takeIgnoredEnd(word.text) && this.unclear.pop() === undefined) this.reportStray(head);
      return false;
    }
    while (open.length - 1 > index) this.abandon(tag.span.start, word);
    open.pop();
    this.finish(block, tag.span.start, tag.span.end);
    const outer = block.mayStayOpen ? open.findLast(({ kind }) => kind === closes) : undefined;
    if (outer !== undefined) outer.mayStayOpen = true;
    for (const problem of block.pending) parser.report(problem);
    this.checkTrailingName(block, head);
    return true;
  }

  /** Whether an end with this word goes unreported; each such end does so once. */
  takeIgnoredEnd(word: string): boolean {
    const left = this.ignoredEnds.get(word) ?? 0;
    if (left > 0) this.ignoredEnds.set(word, left - 1);
    return left > 0;
  }

  ignoreEnd(word: string): void {
    this.ignoredEnds.set(word, (this.ignoredEnds.get(word) ?? 0) + 1);
  }

  /** The innermost block ends without its end tag: at `end`, because of the tag `cause`, or with the text. */
  abandon(end: number, cause?: Name): void {
    const block = this.open.pop() as UnfinishedBlock;
    const { kind, tag } = block;
    this.finish(block, end, end);
    const word = `end${kind}`;
    if (cause !== undefined) this.ignoreEnd(word);
    if (block.mayStayOpen) return;
    if ((this.unclear.at(-1) ?? -1) > tag.span.start) {
      this.unclear.pop();
      return;
    }
    const message = `\`{% ${kind} %}\` opened here is never closed: add \`{% ${word} %}\`.`;
    const related = cause ? [{ span: cause.span, message: `\`${cause.text}\` ends a block around it.` }] : [];
    this.parser.report(problemAt('unclosed-block', tag.span, message, { related }));
  }

  private reportStray({ word, closes }: EndHead): void {
    const block = this.open.at(-1);
    if (block === undefined) {
      const message = `\`${word.text}\` closes nothing: no \`{% ${closes} %}\` is open here. Remove the tag.`;
      this.parser.report(problemAt('stray-tag', word.span, message));
      return;
    }
    // The author probably took one end for the other, so the open block is not reported as well.
    block.mayStayOpen = true;
    const right = `end${block.kind}`;
    const message = `\`${word.text}\` does not close the open \`{% ${block.kind} %}\`: write \`${right}\`.`;
    const related = [{ span: block.tag.span, message: `\`{% ${block.kind} %}\` is opened here.` }];
    this.parser.report(problemAt('stray-tag', word.span, message, { related, fix: replacement(word.span, right) }));
  }

  private checkTrailingName({ head, tag }: UnfinishedBlock, { trailing }: EndHead): void {
    if (trailing === undefined || head?.kind !== 'block' || trailing.text === head.name.text) return;
    const { text } = head.name;
    const message = `This ends the block \`${text}\`, not \`${trailing.text}\`: repeat the right name, or none.`;
    const related = [{ span: tag.span, message: `\`${text}\` begins here.` }];
    const fix = replacement(trailing.span, text);
    this.parser.report(problemAt('unexpected', trailing.span, message, { related, fix }));
  }

  /** Makes the node of a block that has just been closed and hands it to its parent. */
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
    const message = 'A required block must be empty: its content is what another template supplies.';
    const related = [{ span: tag.span, message: 'The block is declared as required here.' }];
    this.parser.report(problemAt('misplaced-tag', content.span, message, { related }));
  }
}

/** The body that is being read, which ends at `end`. */
const bodyOf = ({ bodyStart, nodes }: UnfinishedBlock, end: number): Body => ({
  span: { start: bodyStart, end: Math.max(bodyStart, end) },
  nodes,
});

/** For a second `else`, or one in the wrong place. */
const missingCondition = ({ branchTag }: UnfinishedBlock): Branch['condition'] => {
  const { end } = branchTag.content;
  return { kind: 'missing', span: { start: end, end } };
};

/** Where a statement may stand, and what it does to the blocks that are open. */
export function placeTag(tree: TreeBuilder, head: Head, tag: Tag, isBroken: boolean): void {
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
    const message = `A block cannot stand inside a \`{% ${macro.kind} %}\`: move it out.`;
    const related = [{ span: macro.tag.span, message: `\`{% ${macro.kind} %}\` is opened here.` }];
    macro.pending.push(problemAt('misplaced-tag', name.span, message, { related }));
  } else if (first !== undefined) {
    const message = `The block \`${name.text}\` is defined twice: give one of them another name.`;
    const related = [{ span: first, message: 'It is defined here first.' }];
    parser.report(problemAt('duplicate-block', name.span, message, { related }));
  } else names.set(name.text, name.span);
}

function placeDivision(tree: TreeBuilder, head: Head & { kind: 'else' | 'elif' }, tag: Tag, isBroken: boolean): void {
  const { parser, open, unclear } = tree;
  const { kind, word } = head;
  const fits = (block: UnfinishedBlock) => block.kind === 'if' || (block.kind === 'for' && kind === 'else');
  // An unclosed block inside the `if` is passed over; a `for` inside takes its own `else`.
  const target = open.findLast(fits);
  if (target === undefined) {
    if (!isBroken && unclear.length === 0) {
      const message = `\`${word.text}\` belongs to no \`{% if %}\`: none is open here.`;
      parser.report(problemAt('stray-tag', word.span, message));
      // The opening tag is missing, so an end that follows belongs to it.
      unclear.push(tag.span.start);
    }
    tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
    return;
  }
  while (open.at(-1) !== target) tree.abandon(tag.span.start, word);
  if (target.inElse && !isBroken) {
    const message = `\`${word.text}\` cannot follow \`else\`: the \`else\` of a \`{% ${target.kind} %}\` is its last branch.`;
    const related = [{ span: target.branchTag.span, message: '`else` stands here.' }];
    parser.report(problemAt('misplaced-tag', word.span, message, { related }));
  }
  if (target.kind === 'for' && target.inElse) tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
  else tree.divide(target, tag, head.kind === 'elif' ? head.condition : undefined);
}

/** A misspelt statement is matched as the one it resembles, so that its end is no second problem. */
function placeUnknown(tree: TreeBuilder, { word, meant = '' }: Head & { kind: 'unknown' }, tag: Tag): void {
  const isIgnoredEnd = word.text.startsWith('end') && tree.takeIgnoredEnd(word.text);
  if (isIgnoredEnd) tree.parser.problems.pop();
  const closes = meant.startsWith('end') ? meant.slice(3) : '';
  if (!isIgnoredEnd && isBlock(closes) && tree.open.some(({ kind }) => kind === closes)) {
    tree.close({ kind: 'end', word, closes }, tag);
    return;
  }
  tree.append({ kind: 'unknown', span: tag.span, tag, name: word });
  if (isIgnoredEnd) tree.unclear.pop();
  else if (isBlock(meant) && meant !== 'set') tree.begin(meant, undefined, tag, true);
  else tree.unclear.push(tag.span.start);
  if (!isIgnoredEnd && word.text !== '') tree.ignoreEnd(`end${word.text}`);
}

/** `break` and `continue` need a loop around them, with no macro or block between; a loop's `else` comes after it. */
function checkLoop({ parser, open }: TreeBuilder, word: 'break' | 'continue', tag: Tag): void {
  const loop = open.findLast(
    ({ kind, inElse }) => (kind === 'for' && !inElse) || kind === 'macro' || kind === 'call' || kind === 'block',
  );
  if (loop?.kind === 'for') {
    parser.noteNewer('loop-controls', tag.span);
    return;
  }
  const start = parser.text.indexOf(word, tag.content.start - parser.base);
  const message = `\`${word}\` must stand inside a \`{% for %}\` loop.`;
  parser.problems.push(problemAt('misplaced-tag', parser.at(start, start + word.length), message));
}
