/** The findings of `check` for a skill, compared with the results of `compose` for every valid invocation. */
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import type { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ComposeError, SkillPackage } from '../../../server/src/composer/composition.ts';
import { type PrepareOptions, prepareRequest } from '../../../server/src/composer/prepare.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { findSkillEntry } from '../../../server/src/skill/contract.ts';
import { parameterNames } from '../../../server/src/skill/parameters.ts';
import { contains, lineAt } from '../../../server/src/text.ts';
import { AUTHORING_TOOLS } from '../../../server/src/vocabulary/known-names.ts';
import { compose } from '../../core/composer/composing.ts';
import { ROOT } from '../opened.ts';
import { fittingParameters } from './fitting-values.ts';

/** The disagreement; undefined if `check` and `compose` agree, or if the case is undecidable. */
export function disagreement(workspace: Workspace, path: string): string | undefined {
  const { analysis } = workspace;
  const uri = `${ROOT}/${path}`;
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) return undefined;
  const failures = failuresOf(analysis, skillPackage);
  const refused = failures.every((errors) => errors.length > 0) ? undefined : errorOfRun(analysis, uri);
  if (refused) return `check says ${refused.rule}: ${refused.message}, and compose succeeds`;
  const named = namesWithValues(analysis, skillPackage);
  const proven = failures.map((errors) => errors.filter((error) => !dependsOnValue(error, named)));
  const [first] = proven.flat();
  if (!first) return undefined;
  const errors = errorsAround(analysis, uri);
  if (errors.length === 0) return `check is silent, and compose says ${told(first)}`;
  const isExplained = proven.some(
    (found) => found.length === 0 || found.some((one) => isReported(analysis, errors, one)),
  );
  if (isExplained) return undefined;
  const findings = errors.map(({ rule, message }) => `${rule}: ${message}`).join(' / ');
  return `compose says ${told(first)}, and check only ${findings}`;
}

/** The rules about levels, versions, scopes and gates, which do not prevent a run. */
const NOT_ABOUT_RUNS = [
  'invalid-l2-compose',
  'invalid-l3-compose',
  'missing-gate',
  'missing-scope',
  'version-conflict',
];

/** Returns an error of the skill in `composes` or `execution` that prevents every run. */
function errorOfRun(analysis: Analysis, uri: string): Finding | undefined {
  const file = analysis.file(uri);
  const places = ['composes', 'execution'].flatMap(
    (key) => findSkillEntry(file?.frontmatter.tree.root, key)?.span ?? [],
  );
  return (file ? check(file, analysis) : []).find(
    ({ severity, rule, span }) =>
      severity === 'error' && !NOT_ABOUT_RUNS.includes(rule) && places.some((place) => contains(place, span)),
  );
}

/**
 * Returns whether a template fails because of passed values: an optional parameter, a field, or a value of a type
 * that the expression does not accept.
 */
function dependsOnValue({ kind, message }: ComposeError, named: Pick<ReadonlySet<string>, 'has'>): boolean {
  if (kind !== 'MalformedTemplate') return false;
  const [, name] = /^`([^`]+)` is undefined/.exec(message) ?? [];
  if (name === undefined) return /^This (?:cannot be rendered|value is undefined)/.test(message);
  return /[.[]/.test(name) || named.has(name);
}

/** The parameters, and the variables that the templates set; every name if the schema allows any parameter. */
function namesWithValues(analysis: Analysis, { uri, inputSchema }: SkillPackage): Pick<ReadonlySet<string>, 'has'> {
  if (inputSchema && !parameterNames(inputSchema)) return { has: () => true };
  const variables = analysis.file(uri)?.templates.flatMap(({ source }) => source.scopes.variables) ?? [];
  return new Set([...(inputSchema?.fields ?? []), ...variables].map(({ name }) => name));
}

const told = ({ kind, message, suggestion }: ComposeError): string => `${kind}: ${message} ${suggestion}`;

interface PlacedFinding extends Finding {
  readonly uri: string;
}

/** Returns the errors of a skill and of its closure. */
function errorsAround(analysis: Analysis, uri: string): readonly PlacedFinding[] {
  const root = analysis.graph.skills.get(uri);
  const uris = new Set([uri, ...(root ? analysis.graph.closureOf(root).map((skill) => skill.uri) : [])]);
  return [...uris].flatMap((one) => {
    const file = analysis.file(one);
    const findings = file ? check(file, analysis) : [];
    return findings.filter(({ severity }) => severity === 'error').map((finding) => ({ ...finding, uri: one }));
  });
}

/**
 * The errors of each invocation that fits the contract, by a caller with all capabilities. The list is empty for
 * an invocation that composes.
 */
function failuresOf(analysis: Analysis, skillPackage: SkillPackage): readonly (readonly ComposeError[])[] {
  const invocationContext = {
    ...invocationContextOf(analysis, skillPackage.uri),
    contextTokens: Number.MAX_SAFE_INTEGER,
  };
  const source = isForAuthoring(skillPackage) ? 'authoring' : 'explicit';
  const base: PrepareOptions = { request: 'Do it.', source };
  const options = fittingParameters(skillPackage.inputSchema).flatMap((parameters): PrepareOptions[] => [
    { ...base, parameters },
    { ...base, parameters, channel: 'one', model: 'anthropic', memory: [{ id: 'm', tier: 'thread', text: 'Hm.' }] },
  ]);
  return options.map((one) => {
    const result = compose(prepareRequest(skillPackage, invocationContext, undefined, one).request);
    return result.ok ? [] : result.errors;
  });
}

const isForAuthoring = ({ tools, composes }: SkillPackage): boolean =>
  tools.some(({ name }) => AUTHORING_TOOLS.includes(name)) ||
  composes.some(({ package: part }) => typeof part !== 'string' && isForAuthoring(part));

/**
 * Returns whether a finding marks the location of the composer's error, or names it elsewhere, for example at a
 * misspelt key. A finding in a composed skill is shown at the entry that composes it.
 */
function isReported(
  analysis: Analysis,
  errors: readonly PlacedFinding[],
  { uri, span, subject }: ComposeError,
): boolean {
  const lines = analysis.file(uri)?.lines ?? [0];
  const first = lineAt(lines, span.start);
  const last = lineAt(lines, span.end);
  return errors.some((error) => {
    if (error.uri !== uri || error.message.includes(`\`${subject}\``)) return true;
    const from = lineAt(lines, error.span.start);
    const to = lineAt(lines, error.span.end);
    return from <= last && first <= to;
  });
}
