/** The names that an expression may use, their members, and the values that they are compared with. */

import { LOOP_FIELDS } from '../../../languages/minijinja/builtins/builtins.ts';
import type { Scopes, Variable } from '../../../languages/minijinja/scope-model.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { AmbientVariable } from '../../../vocabulary/known-names.ts';
import { describedBy, ours } from '../../markdown.ts';
import { type Value, valueAt } from '../../symbol/template-values.ts';
import { Kind, type Proposal, Rank } from '../proposal.ts';
import { builtinProposals } from './words.ts';

/** The template's own variables first, then the parameters, then what the composer hands over. */
export function variableProposals(
  file: SkillFile,
  scopes: Scopes,
  visible: readonly Variable[],
  ambient: readonly AmbientVariable[],
): Proposal[] {
  const own = visible.filter(({ name }) => name !== 'self' && name !== 'super');
  const fields = file.contract.input?.schema.fields ?? [];
  return [
    ...own.map((variable) => ({ ...ownVariable(file, scopes, variable), rank: Rank.own })),
    ...fields.map(({ name, type, required, description }) => ({
      label: name,
      kind: Kind.Variable,
      detail: `${type}${required ? '' : ', optional'} (parameter)`,
      docs: describedBy(description),
      rank: Rank.near,
    })),
    ...ambient.map(({ name, type, docs }) => ({
      label: name,
      kind: Kind.Constant,
      detail: type,
      docs: ours(docs),
      rank: Rank.known,
    })),
  ];
}

const WHAT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    set: 'set here',
    for: 'of the loop',
    with: 'of with',
    macro: 'macro',
    parameter: 'of the macro',
    import: 'imported',
    loop: 'the loop',
    caller: 'what the call block holds',
  }),
);

function ownVariable(file: SkillFile, scopes: Scopes, variable: Variable): Proposal {
  const kind = variable.definitions[0]?.kind ?? 'set';
  const type = kind === 'loop' ? undefined : valueAt(file, scopes, variable.name, variable, [])?.type;
  const what = WHAT.get(kind) ?? kind;
  return {
    label: variable.name,
    kind: kind === 'macro' || kind === 'caller' ? Kind.Function : Kind.Variable,
    detail: type ? `${type} (${what})` : what,
  };
}

export function memberProposals(value: Value): Proposal[] {
  if (value.isLoop) return builtinProposals(LOOP_FIELDS, Kind.Field);
  if (value.isList) return [];
  return value.members.map(({ name, type, docs }) => ({
    label: name,
    kind: Kind.Field,
    detail: type,
    docs: describedBy(docs),
  }));
}

const COMPARISON = /([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)\s*[=!]=\s*$/;

/** Behind `tone ==`, the values that `tone` may have, quoted. */
export function comparisonProposals(
  file: SkillFile,
  scopes: Scopes,
  before: string,
  visible: readonly Variable[],
): Proposal[] {
  const compared = COMPARISON.exec(before.slice(-200));
  if (!compared) return [];
  const [, name = '', path = ''] = compared;
  const segments = path
    .split('.')
    .slice(1)
    .map((part) => ({ kind: 'attribute', name: part }) as const);
  const variable = visible.find((candidate) => candidate.name === name);
  const constants = valueAt(file, scopes, name, variable, segments)?.constants ?? [];
  return constants.map((constant) => ({ label: JSON.stringify(constant), kind: Kind.EnumMember, rank: Rank.demanded }));
}
