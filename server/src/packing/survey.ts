/** Determines the capabilities of a unit and of all units that it composes (docs/installing.md). */

import {
  type Abilities,
  abilitiesOf,
  type FoundAbility,
  notAnalysed,
  unscannedScripts,
} from '../abilities/abilities.ts';
import { languageOf } from '../abilities/scripts.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { draftsOf } from '../rules/engine/check.ts';
import { rules } from '../rules/engine/index.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineAt, lineStartsOf } from '../text.ts';
import { effectiveContract, strongestOperation } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { type AutomaticFile, automaticFile } from './automatic-files.ts';
import { type Capabilities, OPERATIONS, sortedOnce } from './capabilities.ts';
import { closureWithTools, namedParts, type Unit } from './unit.ts';

export interface Survey {
  readonly capabilities: Capabilities;
  readonly findings: readonly CapabilityFinding[];
  /** The files that programs run or load without a request. Their paths are also in `capabilities.runs`. */
  readonly automatic: readonly AutomaticFile[];
  /** The files that were not scanned, each with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Returns the capabilities of a skill and of its composed skills that are in `units` (the installed units by URI).
 * Other composed skills are only listed by name, because they may change without an installation.
 */
export function capabilitySurvey(analysis: Analysis, root: IndexedSkill, units: ReadonlyMap<string, Unit>): Survey {
  const closure = closureWithTools(analysis, root);
  const counted = [root, ...closure.filter(({ uri }) => units.has(uri))];
  const parts = counted.flatMap(({ uri }) => {
    const [file, unit] = [analysis.file(uri), units.get(uri)];
    return file && unit ? [{ file, unit, abilities: abilitiesOfUnit(file, unit) }] : [];
  });
  const { effects, operation, scopes, interrupts } = effectiveContract(counted, analysis.operationOfTool);
  const findings = parts.flatMap((part) => capabilityFindings(analysis, part));
  const automatic = parts.flatMap(({ unit }) => unit.files.flatMap((file) => automaticFile(file) ?? []));
  const names = new Set(counted.map(({ summary }) => summary.name));
  // Scripts may write although all tools read, so a tool counts only if it writes.
  const strongest = operation?.name === 'WRITE' ? operation : strongestOperation(counted, () => undefined);
  const declared = OPERATIONS.find((one) => one === strongest?.name);
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
      // Clients do not run commands in skills of other dialects.
      runs: sortedOnce(
        parts
          .flatMap(({ file, abilities }) =>
            file.dialect === 'agent-skill' ? abilities.runs.map(({ command }) => command) : [],
          )
          .concat(automatic.map(({ path }) => path)),
      ),
      reaches: sortedOnce(
        parts.flatMap(({ abilities }) => abilities.scripts.flatMap(({ reaches }) => reaches.map(({ reach }) => reach))),
      ),
      ...notAnalysed(
        {
          scripts: parts.flatMap(({ abilities }) => abilities.scripts),
          commands: parts.flatMap(({ abilities }) => abilities.commands),
        },
        parts.flatMap(({ unit, abilities }) => unscannedIn(unit, abilities)),
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
    automatic,
    leftOut: parts.flatMap(({ abilities }) => abilities.leftOut.map(({ path, why }) => ({ path, why: WHY[why] }))),
  };
}

interface Part {
  readonly unit: Unit;
  readonly abilities: Abilities;
}

/** Returns the paths of executable files that are not scanned. */
function unscannedIn(unit: Unit, abilities: Abilities): readonly string[] {
  const scanned = new Set(abilities.scripts.flatMap(({ path, language }) => (language === 'other' ? [] : [path])));
  return [...executablesOf(unit).filter((path) => !scanned.has(path)), ...unscannedScripts(abilities)];
}

const WHY = {
  'too-many': 'too many files',
  'too-large': 'too long',
  'no-text': 'not a text',
} as const;

const executablesOf = ({ path: own, files }: Unit): readonly string[] =>
  files.flatMap(({ path, text, isExecutable }) =>
    path !== own && (isExecutable || languageOf(path, text ?? '') !== undefined) ? [path] : [],
  );

/** A finding of a capability rule. Severity settings and suppressions do not apply to it. */
interface CapabilityFinding {
  readonly rule: string;
  readonly path: string;
  /** The zero-based line number. */
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

/**
 * Returns the findings of the capability rules in the skill's own file, and findings of the same kinds in the unit's
 * other files. The rules themselves do not read the other files.
 */
function capabilityFindings(
  analysis: Analysis,
  { file, unit, abilities }: Part & { readonly file: SkillFile },
): readonly CapabilityFinding[] {
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
  const { unread, secrets, hidden } = abilities;
  const texts = new Map(unit.files.map(({ path, text }) => [path, text ?? '']));
  const reported = (found: readonly FoundAbility[], describe: (what: string) => readonly [string, string]) =>
    found.flatMap(({ path, span, what }): readonly CapabilityFinding[] => {
      if (path === unit.path && file.dialect === 'agent-skill') return [];
      const [rule, message] = describe(what);
      return [{ rule, path, line: lineAt(lineStartsOf(texts.get(path) ?? ''), span.start), message }];
    });
  return [
    ...own,
    ...reported(unread, (what) =>
      what === 'download'
        ? ['pipe-to-shell', 'This command runs a downloaded script that was not checked.']
        : ['encoded-payload', 'This command decodes a string and runs it.'],
    ),
    ...reported(secrets, (what) => ['embedded-secret', `This looks like a secret (${what}).`]),
    ...reported(hidden, (what) =>
      what === 'instruction'
        ? ['hidden-instructions', 'This comment instructs the model, and readers of the page do not see it.']
        : ['invisible-text', `The text contains invisible characters (${what}).`],
    ),
  ];
}

/** Returns the abilities that the files of a unit use, each with the path of its file in the unit. */
function abilitiesOfUnit(file: SkillFile, unit: Unit): Abilities {
  const beside = unit.files.filter(({ path }) => path !== unit.path);
  const found = abilitiesOf(file, beside, unit.path);
  const placed = <Found extends { readonly path: string }>(all: readonly Found[]): readonly Found[] =>
    all.map((one) => (one.path === SKILL ? { ...one, path: unit.path } : one));
  return {
    ...found,
    unread: placed(found.unread),
    secrets: placed(found.secrets),
    commands: placed(found.commands),
    addresses: placed(found.addresses),
    hidden: placed(found.hidden),
  };
}

/**
 * The path of the skill's own file in the scan. No other file of a unit has this path, because all other files are in a
 * folder.
 */
const SKILL = 'SKILL.md';
