/** What a unit may do, over all that it composes: the words of the lock file, and who brings what (docs/installing.md). */

import { abilitiesOf, type FoundAbility } from '../abilities/abilities.ts';
import { languageOf } from '../abilities/scripts.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { draftsOf } from '../rules/check.ts';
import { rules } from '../rules/index.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineStartsOf } from '../text.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { type Capabilities, OPERATIONS, sortedOnce } from './capabilities.ts';
import { closureWithTools, namedParts, type Unit } from './unit.ts';

export interface Survey {
  readonly capabilities: Capabilities;
  readonly findings: readonly CapabilityFinding[];
  /** The files that were not looked at, with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/**
 * `units` are the installed ones, which count. Of other skills of the workspace only the names are told: the lock says
 * nothing of what may change without an installation.
 */
export function surveyOf(analysis: Analysis, root: IndexedSkill, units: ReadonlyMap<string, Unit>): Survey {
  const closure = closureWithTools(analysis, root);
  const counted = [root, ...closure.filter(({ uri }) => units.has(uri))];
  const parts = counted.flatMap(({ uri }) => {
    const [file, unit] = [analysis.file(uri), units.get(uri)];
    return file && unit ? [{ file, unit, abilities: abilitiesOfUnit(file, unit) }] : [];
  });
  const { effects, operation, scopes, interrupts } = effectiveContract(counted);
  const findings = parts.flatMap(({ file, unit }) => capabilityFindings(analysis, file, unit));
  const names = new Set(counted.map(({ summary }) => summary.name));
  const declared = OPERATIONS.find((one) => one === operation?.name);
  return {
    capabilities: {
      ...(declared ? { operation: declared } : {}),
      effects: sortedOnce(effects.keys()),
      tools: sortedOnce(
        parts.flatMap(({ file, abilities }) => [
          ...file.contract.tools.map(({ name }) => name),
          ...(file.dialect === 'agent-skill'
            ? abilities.tools.map(({ name, pattern }) => (pattern === undefined ? name : `${name}(${pattern})`))
            : []),
        ]),
      ),
      scopes: sortedOnce(scopes.keys()),
      interrupts: sortedOnce(interrupts.keys()),
      parts: sortedOnce(counted.slice(1).flatMap(({ summary }) => summary.name ?? [])),
      others: sortedOnce(counted.flatMap(namedParts).filter((name) => !names.has(name))),
      executables: sortedOnce(parts.flatMap(({ unit }) => executablesOf(unit))),
      // No client runs what stands in other dialects.
      runs: sortedOnce(
        parts.flatMap(({ file, abilities }) =>
          file.dialect === 'agent-skill' ? abilities.runs.map(({ command }) => command) : [],
        ),
      ),
      reaches: sortedOnce(
        parts.flatMap(({ abilities }) => abilities.scripts.flatMap(({ reaches }) => reaches.map(({ reach }) => reach))),
      ),
      addresses: sortedOnce(
        parts.flatMap(({ file, abilities }) => {
          const service = findSkillEntry(file.frontmatter.tree.root, 'backing_service')?.value;
          const endpoint = stringOf(findValue(service, 'endpoint'));
          return [
            ...abilities.addresses.map(({ host }) => host),
            ...(endpoint === undefined
              ? []
              : [endpoint.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '')]),
          ];
        }),
      ),
      findings: sortedOnce(findings.map(({ rule }) => rule)),
    },
    findings,
    leftOut: parts.flatMap(({ abilities }) => abilities.leftOut.map(({ path, why }) => ({ path, why: WHY[why] }))),
  };
}

const WHY = {
  'too-many': 'too many files',
  'too-large': 'too long',
  'no-text': 'no text',
} as const;

const executablesOf = ({ path: own, files }: Unit): readonly string[] =>
  files.flatMap(({ path, text, isExecutable }) =>
    path !== own && (isExecutable || languageOf(path, text ?? '') !== undefined) ? [path] : [],
  );

/** What the capability rules say of a unit: no setting and no comment of its author silences them here. */
interface CapabilityFinding {
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
function capabilityFindings(analysis: Analysis, file: SkillFile, unit: Unit): readonly CapabilityFinding[] {
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
function abilitiesOfUnit(file: SkillFile, unit: Unit): ReturnType<typeof abilitiesOf> {
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
