/** Where a statement may stand, and what it does to the blocks that are open. */
import type { Tag } from './ast.ts';
import { BLOCK_KINDS, isBlock } from './keywords.ts';
import { problemAt } from './problem.ts';
import type { Head, OpeningHead, SimpleHead } from './statements.ts';
import type { TreeBuilder, UnfinishedBlock } from './tree-builder.ts';

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
