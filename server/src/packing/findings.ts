/** What the capability rules say of a unit: no setting and no comment of its author silences them here. */
import { abilitiesOf, type FoundAbility } from '../abilities/abilities.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { draftsOf } from '../rules/check.ts';
import { rules } from '../rules/index.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineStartsOf } from '../text.ts';
import type { Unit } from './unit.ts';

export interface CapabilityFinding {
  readonly rule: string;
  readonly path: string;
  /** From zero. */
  readonly line: number;
  readonly message: string;
}

const CAPABILITY_RULES: ReadonlySet<string> = new Set([
  'invisible-text',
  'hidden-instructions',
  'embedded-secret',
  'pipe-to-shell',
  'encoded-payload',
  'unscoped-shell',
  'self-running-command',
  'escaping-path',
  'undeclared-network',
]);

/** The rules read a `SKILL.md` alone; the same signs in other files are told by what they are. */
export function capabilityFindings(analysis: Analysis, file: SkillFile, unit: Unit): readonly CapabilityFinding[] {
  const own = rules
    .filter(({ name, dialects }) => CAPABILITY_RULES.has(name) && dialects.includes(file.dialect))
    .flatMap((rule) =>
      draftsOf(file, analysis, rule).map(({ span, message }) => ({
        rule: rule.name,
        path: unit.path,
        line: lineAt(file.lines, span.start),
        message,
      })),
    );
  const { unread, secrets, hidden } = abilitiesOfUnit(file, unit);
  const texts = new Map(unit.files.map(({ path, text }) => [path, text ?? '']));
  const told = (found: readonly FoundAbility[], tell: (what: string) => readonly [string, string]) =>
    found.flatMap(({ path, span, what }): readonly CapabilityFinding[] => {
      if (path === unit.path && file.dialect === 'agent-skill') return [];
      const [rule, message] = tell(what);
      return [{ rule, path, line: lineAt(lineStartsOf(texts.get(path) ?? ''), span.start), message }];
    });
  return [
    ...own,
    ...told(unread, (what) =>
      what === 'download'
        ? ['pipe-to-shell', 'A download is run that nobody has read.']
        : ['encoded-payload', 'An encoded text is decoded and run.'],
    ),
    ...told(secrets, (what) => ['embedded-secret', `This has the form of a secret (${what}).`]),
    ...told(hidden, (what) =>
      what === 'instruction'
        ? ['hidden-instructions', 'A comment tells the model what to do, and a reader of the page does not see it.']
        : ['invisible-text', `Characters stand here that a reader does not see (${what}).`],
    ),
  ];
}

/** The abilities of a unit's files, with paths as the unit has them. */
export function abilitiesOfUnit(file: SkillFile, unit: Unit): ReturnType<typeof abilitiesOf> {
  const beside = unit.files.filter(({ path }) => path !== unit.path);
  const found = abilitiesOf(file, beside);
  const placed = <Found extends { readonly path: string }>(all: readonly Found[]): readonly Found[] =>
    all.map((one) => (one.path === SKILL ? { ...one, path: unit.path } : one));
  return {
    ...found,
    unread: placed(found.unread),
    secrets: placed(found.secrets),
    addresses: placed(found.addresses),
    hidden: placed(found.hidden),
  };
}

/** What the scan calls the skill's own file; no other file of a unit has this path, which is one below a folder. */
const SKILL = 'SKILL.md';
