/** The words of the template language: filters, tests, functions, operators. */

import type { Builtin } from '../../../languages/minijinja/builtins/builtins.ts';
import { describeBuiltin } from '../../hover/describe.ts';
import { ours } from '../../markdown.ts';
import { Kind, type Proposal, Rank } from '../proposal.ts';

export function builtinProposals(table: ReadonlyMap<string, Builtin>, kind: Kind, rank: Rank = Rank.known): Proposal[] {
  return [...table.values()]
    .filter(({ name }) => /^\w+$/.test(name))
    .map((builtin) => ({
      label: builtin.name,
      kind,
      detail: builtin.signature,
      docs: () => describeBuiltin(ours(WORDS[kind] ?? 'builtin'), builtin),
      rank,
      ...callOf(builtin),
    }));
}

const WORDS: { readonly [kind: number]: string } = { [Kind.Function]: 'built in', [Kind.Field]: 'loop field' };

/** With the arguments that cannot be left out. */
function callOf({ name, parameters }: Builtin): Partial<Proposal> {
  const needed = parameters.filter(({ optional }) => !optional);
  if (needed.length === 0) return {};
  const stops = needed.map((parameter, i) => `\${${i + 1}:${parameter.name}}`);
  return { insert: `${name}(${stops.join(', ')})`, isSnippet: true };
}

/**
 * What may follow an operand, offered once a letter is typed, since most blanks end an expression. After `for item` and
 * an included name one word is offered at once.
 */
export function operatorProposals(before: string, prefix: string): Proposal[] {
  const tag = before.slice(Math.max(before.lastIndexOf('{%'), before.lastIndexOf('{{'), 0));
  const keyword = (label: string): Proposal => ({ label, kind: Kind.Keyword });
  if (/^\{%[-+]?\s*for\b/.test(tag) && !/\sin\s/.test(tag)) return [keyword('in')];
  if (/^\{%[-+]?\s*include\b/.test(tag)) return [keyword('ignore missing')];
  if (prefix === '') return [];
  return ['and', 'or', 'is', 'is not', 'in', 'not in', 'if', 'else'].map(keyword);
}
