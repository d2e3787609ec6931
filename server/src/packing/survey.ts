/** What a unit may do, over all that it composes: the words of the lock file, and who brings what (docs/installing.md). */
import { languageOf } from '../abilities/scripts.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { type Capabilities, OPERATIONS, sortedOnce } from './capabilities.ts';
import { abilitiesOfUnit, type CapabilityFinding, capabilityFindings } from './findings.ts';
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
