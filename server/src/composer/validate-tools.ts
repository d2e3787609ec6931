/** Validates the tools (docs/composer.md, step 1): none is dropped silently. */
import { nearestNames } from '../nearest.ts';
import type { PackageArtifact, PackageReference, PackageTool, SkillPackage } from '../skill/package.ts';
import type { Span } from '../text.ts';
import { availabilityOf } from './capabilities.ts';
import type { ComposeError, ComposeRequest, Decision, ErrorKind } from './composition.ts';
import type { Framing } from './find-framing.ts';

/** Whether a skill requires tools and declares none, so that nobody can run it; rule `invalid-value` reports the same. */
export const requiresUndeclared = ({
  requiresTools,
  tools,
}: {
  readonly requiresTools: boolean;
  readonly tools: readonly unknown[];
}): boolean => requiresTools && tools.length === 0;

/** Declared tools that the skill needs and that are not available. Where none at all is available, one error says so. */
export function toolErrors(request: ComposeRequest): ComposeError[] {
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
    ? 'The skill requires tools and declares none.'
    : `The skill requires tools, and ${who} may use none of them: ${reasons(request, known)}.`;
  const suggestion = isEmpty
    ? 'Declare `tools`, or set `requires_tools: false`.'
    : 'Choose a caller that holds one of them, give the caller what it lacks, or set `requires_tools: false`.';
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
    ? 'Choose a caller that holds it, give the caller what it lacks, or mark the tool `optional: true`.'
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
 * References to tools that the skill does not declare, each tool at its first place, in the prose of a framing and in those
 * artifacts that `isTaken` says the invocation takes. What is not taken asks for no tool.
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
        : `Did you mean \`${near}\`? Else add it to \`tools\`.`;
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

/** Why each tool of the surface is available or not. */
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
