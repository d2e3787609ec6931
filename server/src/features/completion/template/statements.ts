// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** The first word of a block tag: the ends of the block around it, then every statement as a snippet. */

import type { Template } from '../../../languages/minijinja/ast.ts';
import type { OpenBlock } from '../../../languages/minijinja/cursor/cursor.ts';
import { type Span, span } from '../../../text.ts';
import { ours } from '../../markdown.ts';
import { Kind, type Proposal, Rank } from '../proposal.ts';

interface Statement {
  readonly docs: string;
  /** What follows the word within its tag. */
  readonly head: string;
  /** The tag that closes the block. */
  readonly end?: string;
}

const STATEMENTS: ReadonlyMap<string, Statement> = new Map(
  Object.entries({
    if: { docs: 'A part that depends on a condition.', head: ' ${1:condition}', end: 'endif' },
    for: { docs: 'A part for each item of a list.', head: ' ${1:item} in ${2:list}', end: 'endfor' },
    set: { docs: 'Gives a value a name.', head: ' ${1:name} = ${2:value}' },
    include: { docs: 'Another PromptTemplate of the skill.', head: ' "$1"' },
    with: { docs: 'Names that hold within the block.', head: ' ${1:name} = ${2:value}', end: 'endwith' },
    macro: { docs: 'A part with parameters, to be used again.', head: ' ${1:name}($2)', end: 'endmacro' },
    call: { docs: 'Calls a macro with a block of text.', head: ' ${1:macro}($2)', end: 'endcall' },
    filter: { docs: 'A filter over a whole block.', head: ' ${1:filter}', end: 'endfilter' },
    raw: { docs: 'Text that is not rendered.', head: '', end: 'endraw' },
    block: { docs: 'A part that an extending template replaces.', head: ' ${1:name}', end: 'endblock' },
    extends: { docs: 'Builds on another template.', head: ' "$1"' },
    import: { docs: 'The macros of another template, under a name.', head: ' "$1" as ${2:name}' },
    from: { docs: 'Single macros of another template.', head: ' "$1" import ${2:name}' },
    do: { docs: 'Calls something for its effect.', head: ' $1' },
    autoescape: { docs: 'Turns escaping on or off in a block.', head: ' ${1|true,false|}', end: 'endautoescape' },
  }),
);

/** `word` is the place of the word that is being typed; the text behind it in its tag decides how much is inserted. */
export function statementProposals(template: Template, word: Span, open: readonly OpenBlock[]): Proposal[] {
  const slot = slotAt(template, word);
  const innermost = open.at(-1);
  return [
    ...(innermost ? endings(slot, innermost) : []),
    ...[...STATEMENTS].map(([label, { docs, head, end }], i) => {
      const block = end === undefined ? slot.close : `${slot.close}\n$0\n{% ${end} %}`;
      return proposal(slot, label, docs, i < 4 ? Rank.known : Rank.rest, head + block);
    }),
  ];
}

function endings(slot: Slot, { kind, name, takesElse, takesElif }: OpenBlock): Proposal[] {
  const what = [kind, name].filter(Boolean).join(' ');
  return [
    proposal(slot, `end${kind}`, `Closes \`${what}\`.`, Rank.demanded, slot.close),
    ...(takesElse ? [proposal(slot, 'else', 'What holds otherwise.', Rank.own, slot.close)] : []),
    ...(takesElif ? [proposal(slot, 'elif', 'Another condition.', Rank.own, ` \${1:condition}${slot.close}`)] : []),
  ];
}

function proposal(slot: Slot, label: string, docs: string, rank: Rank, rest: string): Proposal {
  const common = { label, kind: Kind.Keyword, docs: ours(docs), rank, span: slot.span };
  if (slot.isTaken) return { insert: slot.before + label, ...common };
  return { insert: slot.before + label + rest, isSnippet: true, ...common };
}

interface Slot {
  /** The word, and the closing delimiter behind it, which is replaced. */
  readonly span: Span;
  readonly before: '' | ' ';
  readonly close: string;
  /** True where more than a closing delimiter follows, so that only the word is inserted. */
  readonly isTaken: boolean;
}

/** A longer rest is not read. */
const MAX_REST = 200;

function slotAt({ text, base, tags }: Template, word: Span): Slot {
  const tag = tags.findLast((candidate) => candidate.span.start <= word.start && word.start <= candidate.span.end);
  const before = /[%+-]/.test(text[word.start - base - 1] ?? '') ? ' ' : '';
  const rest = text.slice(word.end - base, (tag?.span.end ?? word.end) - base);
  // An editor that closes brackets may have inserted a `}` or the whole delimiter.
  const closer = rest.length < MAX_REST ? /^[ \t]*(?:([-+]?)%?\})?[ \t]*$/.exec(rest) : null;
  if (!closer) return { span: word, before, close: '', isTaken: true };
  const end = tag?.closed || rest.includes('}') ? word.end + rest.trimEnd().length : word.end;
  return { span: span(word.start, end), before, close: ` ${closer[1] ?? ''}%}`, isTaken: false };
}
