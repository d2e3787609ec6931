/** Where a statement may stand, and what it does to the blocks that are open. */
import type { Tag } from './ast.ts';
import {
  abandon,
  append,
  type Blocks,
  close,
  divide,
  type Frame,
  forgive,
  forgiveLater,
  innermost,
  open,
} from './blocks.ts';
import { isBlock } from './keywords.ts';
import { at, noteNewer, problemAt, report } from './state.ts';
import type { Head, OpeningHead, SimpleHead } from './statements.ts';

export function placeHead(blocks: Blocks, head: Head, tag: Tag, defective: boolean): void {
  switch (head.kind) {
    case 'end':
      if (!close(blocks, head, tag)) append(blocks, { kind: 'unknown', span: tag.span, tag, name: head.word });
      return;
    case 'else':
    case 'elif':
      placeDivision(blocks, head, tag, defective);
      return;
    case 'unknown':
      placeUnknown(blocks, head, tag);
      return;
    case 'set':
    case 'extends':
    case 'include':
    case 'import':
    case 'from-import':
    case 'do':
    case 'break':
    case 'continue':
      placeSimple(blocks, head, tag, defective);
      return;
    default:
      placeOpening(blocks, head, tag, defective);
  }
}

const KINDS = { 'set-block': 'set', 'filter-block': 'filter', 'call-block': 'call' } as const;

function placeOpening(blocks: Blocks, head: OpeningHead, tag: Tag, defective: boolean): void {
  if (head.kind === 'block' && !defective) checkBlock(blocks, head);
  const kind = head.kind in KINDS ? KINDS[head.kind as keyof typeof KINDS] : (head.kind as Frame['kind']);
  open(blocks, kind, head, tag, defective);
}

function checkBlock({ parser, names, frames }: Blocks, { name }: OpeningHead & { kind: 'block' }): void {
  const macro = frames.find(({ kind }) => kind === 'macro' || kind === 'call');
  if (macro !== undefined) {
    const message = `A block cannot stand inside a \`{% ${macro.kind} %}\`: move it out.`;
    const related = [{ span: macro.tag.span, message: `\`{% ${macro.kind} %}\` is opened here.` }];
    macro.pending.push(problemAt('misplaced-tag', name.span, message, { related }));
    return;
  }
  const first = names.get(name.text);
  if (first === undefined) {
    names.set(name.text, name.span);
    return;
  }
  const message = `The block \`${name.text}\` is defined twice: give one of them another name.`;
  const related = [{ span: first, message: 'It is defined here first.' }];
  report(parser, problemAt('duplicate-block', name.span, message, { related }));
}

function placeDivision(blocks: Blocks, head: Head & { kind: 'else' | 'elif' }, tag: Tag, defective: boolean): void {
  const fits = (frame: Frame) => frame.kind === 'if' || (frame.kind === 'for' && head.kind === 'else');
  // Whoever forgot to close a block inside `if` meant the `if`; a `for` inside takes its `else` itself.
  const target = blocks.frames.findLast(fits);
  if (target === undefined) {
    if (!defective && blocks.wildcards.length === 0) {
      reportDivision(blocks, head);
      // The opening tag is what is missing, and what follows belongs to it.
      blocks.wildcards.push(tag.span.start);
    }
    append(blocks, { kind: 'unknown', span: tag.span, tag, name: head.word });
    return;
  }
  while (innermost(blocks) !== target) abandon(blocks, tag.span.start, head.word);
  if (target.inElse && !defective) {
    const message = `\`${head.word.text}\` cannot follow \`else\`: the \`else\` of a \`{% ${target.kind} %}\` is its last branch.`;
    const related = [{ span: target.branchTag.span, message: '`else` stands here.' }];
    report(blocks.parser, problemAt('misplaced-tag', head.word.span, message, { related }));
  }
  if (target.kind === 'for' && target.inElse) {
    append(blocks, { kind: 'unknown', span: tag.span, tag, name: head.word });
  } else divide(blocks, target, tag, head.kind === 'elif' ? head.condition : undefined);
}

function reportDivision({ parser }: Blocks, { word }: Head & { kind: 'else' | 'elif' }): void {
  const message = `\`${word.text}\` belongs to no \`{% if %}\`: none is open here.`;
  report(parser, problemAt('stray-tag', word.span, message));
}

/** A misspelt statement is matched as what it was meant to be, so that its end is no second defect. */
function placeUnknown(blocks: Blocks, { word, meant }: Head & { kind: 'unknown' }, tag: Tag): void {
  const forgiven = word.text.startsWith('end') && forgive(blocks, word.text);
  if (forgiven) blocks.parser.problems.pop();
  const closes = meant?.startsWith('end') ? meant.slice(3) : '';
  if (!forgiven && isBlock(closes) && blocks.frames.some(({ kind }) => kind === closes)) {
    close(blocks, { kind: 'end', word, closes }, tag);
    return;
  }
  append(blocks, { kind: 'unknown', span: tag.span, tag, name: word });
  if (forgiven) blocks.wildcards.pop();
  else if (meant !== undefined && isBlock(meant) && meant !== 'set') open(blocks, meant, undefined, tag, true);
  else blocks.wildcards.push(tag.span.start);
  if (!forgiven && word.text !== '') forgiveLater(blocks, `end${word.text}`);
}

function placeSimple(blocks: Blocks, head: SimpleHead, tag: Tag, defective: boolean): void {
  if ((head.kind === 'break' || head.kind === 'continue') && !defective) checkLoop(blocks, head.kind, tag);
  append(blocks, { span: tag.span, tag, ...head });
}

/** `break` and `continue` need a loop around them, with no macro or block between; a loop's `else` comes after it. */
function checkLoop({ parser, frames }: Blocks, word: 'break' | 'continue', tag: Tag): void {
  const loop = frames.findLast(
    ({ kind, inElse }) => (kind === 'for' && !inElse) || kind === 'macro' || kind === 'call' || kind === 'block',
  );
  if (loop?.kind === 'for') {
    noteNewer(parser, 'loop-controls', tag.span);
    return;
  }
  const start = parser.text.indexOf(word, tag.content.start - parser.base);
  const message = `\`${word}\` must stand inside a \`{% for %}\` loop.`;
  parser.problems.push(problemAt('misplaced-tag', at(parser, start, start + word.length), message));
}
