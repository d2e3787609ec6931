/**
 * Which blocks are open, and the tree that grows from closing them. A block that its author is still typing must not
 * make others look broken: one defect is one problem.
 */
import type { Span } from '../../text.ts';
import type { Body, Branch, Name, Node, Tag, TemplateProblem } from './ast.ts';
import type { BlockKind } from './keywords.ts';
import { at, DEPTH_LIMIT, type Parser, problemAt, report } from './state.ts';
import type { EndHead, OpeningHead } from './statements.ts';

/** An open block. `nodes` collects the body that is being read, which began at `bodyStart` (an offset into the text). */
export interface Frame {
  readonly kind: BlockKind;
  /** Absent for a misspelt statement: it has an end, but its content belongs to the block around it. */
  readonly head: OpeningHead | undefined;
  readonly tag: Tag;
  nodes: Node[];
  bodyStart: number;
  /** What has been read of an `if` before its current branch; for a `for` with an `else`, its body. */
  readonly branches: Branch[];
  branchTag: Tag;
  condition: Branch['condition'] | undefined;
  body: Body | undefined;
  inElse: boolean;
  /** Opened by a defective tag: that it is never closed is no news. */
  readonly lenient: boolean;
  /** Its end may have gone to a defective block inside it, or stands there under a wrong name. */
  excused: boolean;
  /** Problems that hold only if the block does end where it seems to. */
  readonly pending: TemplateProblem[];
}

/** Blocks beyond this depth are only counted, so that no search among the open ones takes long. */
const FRAME_LIMIT = 1000;

export interface Blocks {
  readonly parser: Parser;
  readonly root: Node[];
  readonly frames: Frame[];
  overflow: number;
  /** The blocks that have been named, each with the place of its name. */
  readonly names: Map<string, Span>;
  /** Words of unknown tags, and of blocks that another end closed: their own ends are no further defect. */
  readonly forgiven: Map<string, number>;
  /**
   * The places of tags that may have been meant to open or to close any block: unknown and unfinished ones. Each
   * accounts for one end or one block that would otherwise be missing its other half.
   */
  readonly wildcards: number[];
}

export const blocksOf = (parser: Parser): Blocks => ({
  parser,
  root: [],
  frames: [],
  overflow: 0,
  names: new Map(),
  forgiven: new Map(),
  wildcards: [],
});

export const innermost = ({ frames }: Blocks): Frame | undefined => frames[frames.length - 1];

export function append(blocks: Blocks, node: Node): void {
  (innermost(blocks)?.nodes ?? blocks.root).push(node);
}

export function open(blocks: Blocks, kind: BlockKind, head: OpeningHead | undefined, tag: Tag, lenient: boolean): void {
  const { frames, parser } = blocks;
  if (frames.length >= FRAME_LIMIT) {
    blocks.overflow++;
    return;
  }
  // Beyond the engine's limit the tree stays flat: whoever walks it may recurse over blocks.
  const flat = head === undefined || frames.length >= DEPTH_LIMIT;
  frames.push({
    kind,
    head: flat ? undefined : head,
    tag,
    nodes: flat ? (innermost(blocks)?.nodes ?? blocks.root) : [],
    bodyStart: tag.span.end - parser.base,
    branches: [],
    branchTag: tag,
    condition: head?.kind === 'if' ? head.condition : undefined,
    body: undefined,
    inElse: false,
    lenient: lenient || frames.length >= DEPTH_LIMIT,
    excused: false,
    pending: [],
  });
}

/** Ends the body being read at `end`, and begins the next one behind `next`. */
function finishBody(blocks: Blocks, frame: Frame, end: number): Body {
  const { parser } = blocks;
  return { span: at(parser, frame.bodyStart, Math.max(frame.bodyStart, end)), nodes: frame.nodes };
}

function nextBody(blocks: Blocks, frame: Frame, tag: Tag): void {
  frame.nodes = frame.head === undefined ? frame.nodes : [];
  frame.bodyStart = tag.span.end - blocks.parser.base;
}

/** `else` and `elif`; `condition` is the `elif`'s, or a missing one for a branch that has no business here. */
export function divide(blocks: Blocks, frame: Frame, tag: Tag, condition: Branch['condition'] | undefined): void {
  const body = finishBody(blocks, frame, tag.span.start - blocks.parser.base);
  if (frame.kind === 'for') frame.body ??= body;
  else frame.branches.push({ tag: frame.branchTag, condition: frame.condition ?? missingAt(frame), body });
  nextBody(blocks, frame, tag);
  frame.branchTag = tag;
  frame.condition = condition;
  if (condition === undefined) frame.inElse = true;
}

const missingAt = (frame: Frame): Branch['condition'] => {
  const { end } = frame.branchTag.content;
  return { kind: 'missing', span: { start: end, end } };
};

/** The block that an end tag names; blocks inside it that are still open end here too. */
export function close(blocks: Blocks, head: EndHead, tag: Tag): boolean {
  const { frames } = blocks;
  const { closes } = head;
  if (blocks.overflow > 0) {
    blocks.overflow--;
    return true;
  }
  let index = frames.length - 1;
  while (index >= 0 && frames[index]?.kind !== closes) index--;
  if (index < 0) {
    if (!forgive(blocks, head.word.text) && blocks.wildcards.pop() === undefined) reportStray(blocks, head);
    return false;
  }
  while (frames.length - 1 > index) abandon(blocks, tag.span.start, head.word);
  const frame = frames.pop() as Frame;
  finish(blocks, frame, tag.span.start - blocks.parser.base, tag.span.end);
  if (frame.lenient || frame.excused) excuseOuter(blocks, closes);
  for (const problem of frame.pending) report(blocks.parser, problem);
  checkTrailing(blocks, frame, head);
  return true;
}

/** Whether the word's end has been accounted for already, once. */
export function forgive({ forgiven }: Blocks, word: string): boolean {
  const left = forgiven.get(word) ?? 0;
  if (left > 0) forgiven.set(word, left - 1);
  return left > 0;
}

export function forgiveLater({ forgiven }: Blocks, word: string): void {
  forgiven.set(word, (forgiven.get(word) ?? 0) + 1);
}

function excuseOuter({ frames }: Blocks, kind: BlockKind): void {
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i] as Frame;
    if (frame.kind !== kind) continue;
    frame.excused = true;
    return;
  }
}

/** The innermost block ends without its end tag: at `end`, because of the tag `cause`, or with the text. */
export function abandon(blocks: Blocks, end: number, cause?: Name): void {
  const { parser, frames } = blocks;
  const frame = frames.pop() as Frame;
  finish(blocks, frame, end - parser.base, end);
  const word = `end${frame.kind}`;
  if (cause !== undefined) forgiveLater(blocks, word);
  if (frame.lenient || frame.excused) return;
  if ((blocks.wildcards.at(-1) ?? -1) > frame.tag.span.start) {
    blocks.wildcards.pop();
    return;
  }
  const related =
    cause === undefined ? [] : [{ span: cause.span, message: `\`${cause.text}\` ends a block around it.` }];
  const message = `\`{% ${frame.kind} %}\` opened here is never closed: add \`{% ${word} %}\`.`;
  report(parser, problemAt('unclosed-block', frame.tag.span, message, { related }));
}

function reportStray(blocks: Blocks, { word, closes }: EndHead): void {
  const { parser } = blocks;
  const frame = innermost(blocks);
  if (frame === undefined) {
    const message = `\`${word.text}\` closes nothing: no \`{% ${closes} %}\` is open here. Remove the tag.`;
    report(parser, problemAt('stray-tag', word.span, message));
    return;
  }
  // The author most probably took one end for the other, so the open block is not reported as well.
  frame.excused = true;
  const right = `end${frame.kind}`;
  const message = `\`${word.text}\` does not close the open \`{% ${frame.kind} %}\`: write \`${right}\`.`;
  const related = [{ span: frame.tag.span, message: `\`{% ${frame.kind} %}\` is opened here.` }];
  const fix = { title: `Replace with \`${right}\``, edit: { span: word.span, newText: right } };
  report(parser, problemAt('stray-tag', word.span, message, { related, fix }));
}

function checkTrailing(blocks: Blocks, { head, tag }: Frame, { trailing }: EndHead): void {
  if (trailing === undefined || head?.kind !== 'block' || trailing.text === head.name.text) return;
  const message = `This ends the block \`${head.name.text}\`, not \`${trailing.text}\`: repeat the right name, or none.`;
  const related = [{ span: tag.span, message: `\`${head.name.text}\` begins here.` }];
  const fix = { title: `Replace with \`${head.name.text}\``, edit: { span: trailing.span, newText: head.name.text } };
  report(blocks.parser, problemAt('unexpected', trailing.span, message, { related, fix }));
}

/** Makes the node of a frame that has just been popped and hands it to its parent. */
function finish(blocks: Blocks, frame: Frame, bodyEnd: number, end: number): void {
  const { head, tag } = frame;
  if (head === undefined) return;
  const span = { start: tag.span.start, end };
  const body = finishBody(blocks, frame, bodyEnd);
  if (head.kind === 'if') {
    const last = frame.condition;
    if (last !== undefined) frame.branches.push({ tag: frame.branchTag, condition: last, body });
    const { branches } = frame;
    append(blocks, { kind: 'if', span, tag, branches, ...(last === undefined && { otherwise: body }) });
    return;
  }
  if (head.kind === 'for' && frame.body !== undefined) {
    append(blocks, { span, tag, ...head, body: frame.body, otherwise: body });
    return;
  }
  if (head.kind === 'block' && head.required) checkRequired(blocks, frame, body);
  append(blocks, { span, tag, ...head, body });
}

function checkRequired({ parser }: Blocks, { tag }: Frame, { nodes }: Body): void {
  const text = (span: Span) => parser.text.slice(span.start - parser.base, span.end - parser.base);
  const content = nodes.find(
    (node) => node.kind !== 'comment' && !(node.kind === 'text' && text(node.span).trim() === ''),
  );
  if (content === undefined) return;
  const message = 'A required block must be empty: its content is what another template supplies.';
  const related = [{ span: tag.span, message: 'The block is declared as required here.' }];
  report(parser, problemAt('misplaced-tag', content.span, message, { related }));
}
