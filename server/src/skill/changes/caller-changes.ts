/** What has changed beyond the schemas in what a skill asks of its caller (docs/format.md, section 4, "Breaking changes"). */
import type { Span } from '../../text.ts';
import type { Named, SkillContract } from '../contract.ts';
import type { ContractChange } from './contract-change.ts';

/** In the order scopes, tools, interrupts, errors. */
export const callerChanges = (old: SkillContract, now: SkillContract): readonly ContractChange[] => [
  ...listChanges(old, now, 'required_scopes', 'scope', (contract) => contract.requiredScopes),
  ...toolChanges(old, now),
  ...listChanges(old, now, 'interrupts', 'interrupt', (contract) => contract.interrupts),
  ...listChanges(old, now, 'errors', 'error', (contract) => contract.errors, 'minor'),
];

type List = (contract: SkillContract) => readonly Named[];

const names = (list: readonly Named[]): ReadonlySet<string> => new Set(list.map(({ name }) => name));

/** Added names are major, unless said otherwise; removed ones minor, shown at the skill's name. */
function listChanges(
  old: SkillContract,
  now: SkillContract,
  path: string,
  noun: string,
  list: List,
  added: ContractChange['bump'] = 'major',
): readonly ContractChange[] {
  const [before, after] = [names(list(old)), names(list(now))];
  const fresh = list(now).filter(({ name }) => !before.has(name));
  const gone = list(old).filter(({ name }) => !after.has(name));
  const place = now.name?.span;
  return [
    ...fresh.map(({ name, span }) => ({ bump: added, path, message: `the ${noun} \`${name}\` is new`, span })),
    ...gone.flatMap(({ name }): ContractChange[] =>
      place ? [{ bump: 'minor', path, message: `the ${noun} \`${name}\` was removed`, span: place }] : [],
    ),
  ];
}

/** A caller must hold the required tools alone, so an optional one is never major. */
function toolChanges(old: SkillContract, now: SkillContract): readonly ContractChange[] {
  const before = new Map(old.tools.map((tool) => [tool.name, tool]));
  const after = names(now.tools);
  const place = now.name?.span;
  const change = (bump: ContractChange['bump'], message: string, span: Span): ContractChange => ({
    bump,
    path: 'tools',
    message,
    span,
  });
  const kept = now.tools.flatMap(({ name, optional, span }) => {
    const earlier = before.get(name);
    if (!earlier) {
      return optional
        ? [change('minor', `the optional tool \`${name}\` is new`, span)]
        : [change('major', `the tool \`${name}\` is new and required`, span)];
    }
    if (earlier.optional === optional) return [];
    return optional
      ? [change('minor', `the tool \`${name}\` was required and is optional now`, span)]
      : [change('major', `the tool \`${name}\` was optional and is required now`, span)];
  });
  const gone = old.tools.filter(({ name }) => !after.has(name));
  return [
    ...kept,
    ...gone.flatMap(({ name }) => (place ? [change('minor', `the tool \`${name}\` was removed`, place)] : [])),
  ];
}
