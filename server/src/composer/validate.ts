/** Validates a request before rendering (docs/composer.md, step 1). Finds all errors, each with its span. */

import { isUsable, type SchemaField } from '../languages/schema/schema.ts';
import { nearestNames } from '../nearest.ts';
import type { PackageArtifact, PackageReference, PackageTool, SkillPackage } from '../skill/package.ts';
import { validateParameters } from '../skill/parameters.ts';
import type { Span } from '../text.ts';
import { availabilityOf } from './capabilities.ts';
import type { ComposeError, ComposeRequest, Decision, ErrorKind } from './composition.ts';
import { type Framing, type FramingParts, findFraming, framingError, type ModelNames } from './find-framing.ts';
import { isTooDeep, MAX_NESTING, tooDeep } from './json.ts';

/**
 * Returns all errors in a request with this framing (docs/composer.md, step 1); empty for a valid request. Never
 * throws.
 */
export function validate(request: ComposeRequest, framing: Framing): readonly ComposeError[] {
  const { skillPackage } = request;
  const unreadable = unreadableError(skillPackage);
  if (unreadable) return [unreadable];
  return [
    ...missingFields(skillPackage),
    ...skillPackage.faults.map((fault) => ({ ...fault, uri: skillPackage.uri })),
    ...toolErrors(request),
    ...referenceErrors(skillPackage, framing, (artifact) => isAlwaysTaken(skillPackage, framing, artifact)),
    ...parameterErrors(request),
  ];
}

/**
 * Returns the first error because of which no invocation of a composed skill can succeed; undefined if there is none.
 * The framing is that for `models`. Never throws. Implements docs/composer.md, step 5.
 */
export function firstErrorOfComposedSkill(part: SkillPackage, models: ModelNames): ComposeError | undefined {
  const unreadable = unreadableError(part);
  if (unreadable) return unreadable;
  const framing = findFraming(part, models) ?? { kind: 'none' };
  const [error] = [
    ...missingFields(part),
    ...part.faults.map((fault) => ({ ...fault, uri: part.uri })),
    ...referenceErrors(part, framing, (artifact) => isAlwaysTaken(part, framing, artifact)),
  ];
  return error;
}

function unreadableError({ unreadable, uri }: SkillPackage): ComposeError | undefined {
  if (!unreadable) return undefined;
  const message = `The frontmatter cannot be read: ${unreadable.message}`;
  const suggestion = 'Correct the YAML.';
  return { kind: 'MissingRequiredField', uri, span: unreadable.span, subject: 'frontmatter', message, suggestion };
}

/**
 * Returns whether every invocation with this framing uses the artifact. Artifacts with a condition are checked later.
 */
function isAlwaysTaken({ artifacts }: SkillPackage, framing: Framing, artifact: PackageArtifact): boolean {
  if (framing.kind === 'template' && framing.template === artifact) return true;
  if (artifact.includeWhen) return false;
  return artifact.kind === 'Description' || artifacts.find(({ kind }) => kind === 'Approach') === artifact;
}

/** The parts of a skill without which it cannot be composed, in a package or a skill file. */
interface Fields extends FramingParts, Pick<SkillPackage, 'name' | 'inputSchema'> {
  readonly exitProblems: readonly { readonly span: Span; readonly message: string; readonly suggestion: string }[];
}

/** Returns an error for each missing or malformed part of a skill (docs/composer.md, step 1). Never throws. */
function missingFields(skill: Fields): ComposeError[] {
  const { uri, name, inputSchema, headSpan, exitProblems } = skill;
  const at = (span: Span, subject: string, message: string, suggestion: string): ComposeError => ({
    kind: 'MissingRequiredField',
    uri,
    span,
    subject,
    message,
    suggestion,
  });
  const errors: ComposeError[] = [];
  if (!name) errors.push(at(headSpan, 'name', 'Missing key `name`.', 'Add it, for example `name: draft-scene`.'));
  const framing = framingError(skill);
  if (framing) errors.push(framing);
  if (!inputSchema) {
    const suggestion = 'Add it with the parameters, or add `input_schema: {}`.';
    errors.push(at(headSpan, 'input_schema', 'Missing key `input_schema`.', suggestion));
  } else if (!isUsable(inputSchema)) {
    for (const { span, message, severity } of inputSchema.problems) {
      if (severity !== undefined) continue;
      const malformed = `\`input_schema\` is invalid: ${message}`;
      errors.push(at(span, 'input_schema', malformed, 'Correct the schema here.'));
    }
  }
  for (const { span, message, suggestion } of exitProblems) errors.push(at(span, 'exit', message, suggestion));
  return errors;
}

/** Validates the parameters (docs/composer.md, step 1). Each error is shown at the value in the invocation. */
function parameterErrors(request: ComposeRequest): ComposeError[] {
  const { skillPackage, parameters, places } = request;
  const { uri, inputSchema, headSpan } = skillPackage;
  const deep = request.tooDeep?.[0] ?? Object.keys(parameters).find((name) => isTooDeep(parameters[name], MAX_NESTING));
  if (deep !== undefined) {
    const [message, suggestion] = tooDeep(`The value of \`${deep}\``);
    return [
      {
        kind: 'ParameterMismatch',
        uri,
        span: placeOf([deep], places?.parameters, places?.span) ?? inputSchema?.span ?? headSpan,
        subject: deep,
        message,
        suggestion,
      },
    ];
  }
  if (!inputSchema || !isUsable(inputSchema) || inputSchema.form === 'empty') return [];
  const violations = validateParameters(inputSchema, parameters);
  const given: ComposeError[] = [];
  const ungenerated = new Map<string, ComposeError>();
  for (const { path, message, nearest, kind } of violations) {
    const name = String(path[0] ?? '');
    if (request.makesUp && (request.madeUp.includes(name) || (kind === 'missing' && path.length === 1))) {
      ungenerated.set(name, {
        kind: 'ParameterMismatch',
        uri,
        span: fieldSpan(inputSchema.fields, [name]) ?? inputSchema.span,
        subject: name,
        message: `No value that matches the schema of \`${name}\` can be generated.`,
        suggestion: `Pass \`${name}\`, or declare a default for it.`,
      });
      continue;
    }
    const subject = path.join('.');
    given.push({
      kind: 'ParameterMismatch',
      uri,
      span:
        placeOf(path.map(String), places?.parameters, places?.span) ??
        fieldSpan(inputSchema.fields, path) ??
        inputSchema.span,
      subject,
      message: subject === '' ? message : `\`${subject}\`: ${message}`,
      suggestion: suggestionFor(kind, String(path.at(-1) ?? ''), nearest),
    });
  }
  return [...given, ...ungenerated.values()];
}

/**
 * Returns the parameters without values that are nested deeper than `MAX_NESTING`, because code cannot recurse over
 * such values.
 */
export const shallowParameters = (parameters: ComposeRequest['parameters']): ComposeRequest['parameters'] =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isTooDeep(value, MAX_NESTING)));

function suggestionFor(kind: string, name: string, nearest: string | undefined): string {
  if (kind === 'missing') {
    const fix = nearest === undefined ? `Pass \`${name}\`` : `Rename \`${nearest}\` to \`${name}\``;
    return `${fix}, or declare a default for it.`;
  }
  if (kind === 'additional') return nearest === undefined ? `Remove \`${name}\`.` : `Rename it to \`${nearest}\`.`;
  return "Change the value or the field's schema.";
}

/** Returns the span of the value at a path, or the span of the map or list that should contain the value. */
function placeOf(
  path: readonly string[],
  places: ReadonlyMap<string, Span> | undefined,
  sample: Span | undefined,
): Span | undefined {
  for (let length = path.length; places && length > 0; length--) {
    const found = places.get(path.slice(0, length).join('.'));
    if (found) return found;
  }
  // Use the span of the sample's name, which is shorter than the span of all parameters.
  return sample;
}

function fieldSpan(fields: readonly SchemaField[], path: readonly (string | number)[]): Span | undefined {
  const [first, ...rest] = path;
  const field = fields.find(({ name }) => name === first);
  return (
    field &&
    (fieldSpan(
      field.fields,
      rest.filter((step) => typeof step === 'string'),
    ) ??
      field.keySpan)
  );
}

// Validates the tools (docs/composer.md, step 1): no tool is dropped silently.

/**
 * Returns whether a skill cannot run because it requires tools and declares no tools. The rule `invalid-value` uses
 * this function, too.
 */
export const requiresUndeclared = ({
  requiresTools,
  tools,
}: {
  readonly requiresTools: boolean;
  readonly tools: readonly unknown[];
}): boolean => requiresTools && tools.length === 0;

/** Returns an error for each required tool that is not available, or a single error if no tool is available. */
function toolErrors(request: ComposeRequest): ComposeError[] {
  const { skillPackage, availableTools, callerCapabilities } = request;
  const { uri, tools, toolsSpan, requiresTools, headSpan } = skillPackage;
  const available = new Set(availableTools.map(({ name }) => name));
  const absent = tools.filter(({ name, optional }) => !optional && !available.has(name));
  const known = tools.filter(({ descriptor }) => descriptor);
  const isEmpty = requiresUndeclared(skillPackage);
  if (!isEmpty && !(requiresTools && available.size === 0 && known.length > 0)) {
    return absent.map((tool) => absentTool(request, tool));
  }
  const who = callerCapabilities.caller ? `\`${callerCapabilities.caller}\`` : 'the caller';
  const message = isEmpty
    ? 'The skill requires tools, but declares none.'
    : `The skill requires tools, but ${who} may use none of them: ${reasons(request, known)}.`;
  const suggestion = isEmpty
    ? 'Declare `tools`, or set `requires_tools: false`.'
    : 'Choose a caller that may use one of them, or set `requires_tools: false`.';
  const span = (isEmpty ? skillPackage.requiresToolsSpan : toolsSpan) ?? headSpan;
  const narrowing = { kind: 'CapabilityNarrowing' as const, uri, span, subject: 'tools', message, suggestion };
  const unknown = absent.filter(({ descriptor }) => !descriptor);
  return [narrowing, ...unknown.map((tool) => absentTool(request, tool))];
}

const reasons = (request: ComposeRequest, tools: readonly PackageTool[]): string =>
  tools
    .slice(0, 3)
    .map(
      (tool) =>
        `\`${tool.name}\`: ${availabilityOf(tool, request.callerCapabilities, request.invocationSource).reason}`,
    )
    .join('; ');

function absentTool(
  { skillPackage, callerCapabilities, invocationSource }: ComposeRequest,
  tool: PackageTool,
): ComposeError {
  const { reason } = availabilityOf(tool, callerCapabilities, invocationSource);
  const suggestion = tool.descriptor
    ? 'Choose a caller that may use it, or mark the tool `optional: true`.'
    : 'Correct the name, declare the tool in the catalog, or mark it `optional: true`.';
  return unknownTool(
    skillPackage.uri,
    tool.span,
    tool.name,
    `The tool \`${tool.name}\` is not available: ${reason}.`,
    suggestion,
  );
}

/**
 * Returns an error for each undeclared tool to which the text refers, at the first reference. The text is the prose of
 * the framing and of the artifacts that the invocation uses (those for which `isTaken` returns true).
 */
export function referenceErrors(
  { uri, tools, proseReferences, artifacts }: SkillPackage,
  framing: Framing,
  isTaken: (artifact: PackageArtifact) => boolean,
): ComposeError[] {
  const declared = tools.map(({ name }) => name);
  const first = new Map<string, PackageReference>();
  const taken = artifacts.filter(isTaken).flatMap(({ references }) => references);
  for (const reference of [...(framing.kind === 'prose' ? proseReferences : []), ...taken]) {
    const { kind, name, span } = reference;
    if (kind !== 'tool' || declared.includes(name) || (first.get(name)?.span.start ?? Infinity) <= span.start) continue;
    first.set(name, reference);
  }
  const references = [...first.values()].sort((a, b) => a.span.start - b.span.start);
  return references.map(({ name, span }) => {
    const [near] = nearestNames(name, declared);
    const message = `The body refers to the tool \`${name}\`, which is not in \`tools\`.`;
    const suggestion =
      near === undefined
        ? 'Add it to `tools`, or remove the reference.'
        : `Did you mean \`${near}\`? Otherwise add it to \`tools\`.`;
    return unknownTool(uri, span, name, message, suggestion);
  });
}

const unknownTool = (uri: string, span: Span, subject: string, message: string, suggestion: string): ComposeError => ({
  kind: 'UnknownTool' satisfies ErrorKind,
  uri,
  span,
  subject,
  message,
  suggestion,
});

/** Returns a decision on each tool in the surface: whether it is available, and why. */
export function toolDecisions({
  skillPackage,
  callerCapabilities,
  invocationSource,
  availableTools,
}: ComposeRequest): readonly Decision[] {
  const given = new Set(availableTools.map(({ name }) => name));
  return skillPackage.tools.map((tool) => {
    const { available, reason } = availabilityOf(tool, callerCapabilities, invocationSource);
    const taken = available && given.has(tool.name);
    return {
      subject: 'tool',
      uri: skillPackage.uri,
      span: tool.span,
      name: tool.name,
      artifact: undefined,
      taken,
      reason: available && !taken ? 'the invocation does not make it available' : reason,
    };
  });
}
