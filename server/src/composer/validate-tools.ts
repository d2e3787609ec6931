/** Validates the tools (docs/composer.md, step 1): none is dropped silently. */
import { nearestNames } from '../nearest.ts';
import type { PackageReference, PackageTool, SkillPackage } from '../skill/package.ts';
import type { Span } from '../text.ts';
import { availabilityOf } from './capabilities.ts';
import type { ComposeError, ComposeRequest, Decision, ErrorKind } from './composition.ts';

/** Tools that the skill needs and that are not available. Where none at all is available, one error says so. */
export function toolErrors(request: ComposeRequest): ComposeError[] {
  const { skillPackage, availableTools, callerCapabilities } = request;
  const { uri, tools, toolsSpan, requiresTools, headSpan } = skillPackage;
  const available = new Set(availableTools.map(({ name }) => name));
  const absent = tools.filter(({ name, optional }) => !optional && !available.has(name));
  const known = tools.filter(({ descriptor }) => descriptor);
  if (requiresTools && available.size === 0 && (tools.length === 0 || known.length > 0)) {
    const who = callerCapabilities.caller ? `\`${callerCapabilities.caller}\`` : 'the caller';
    const message =
      tools.length === 0
        ? 'The skill requires tools and declares none.'
        : `The skill requires tools, and ${who} may use none of them: ${reasons(request, known)}.`;
    const suggestion =
      tools.length === 0
        ? 'Declare `tools`, or set `requires_tools: false`.'
        : 'Choose a caller that holds one of them, give the caller what it lacks, or set `requires_tools: false`.';
    const narrowing = { kind: 'CapabilityNarrowing' as const, uri, span: toolsSpan ?? headSpan, subject: 'tools' };
    const unknown = absent.filter(({ descriptor }) => !descriptor);
    return [{ ...narrowing, message, suggestion }, ...unknown.map((tool) => absentTool(request, tool))];
  }
  const declared = new Set(tools.map(({ name }) => name));
  const undeclared = referencedTools(skillPackage).filter(({ name }) => !declared.has(name));
  return [
    ...absent.map((tool) => absentTool(request, tool)),
    ...undeclared.map((tool) => undeclaredTool(request, tool)),
  ];
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

function undeclaredTool(
  { skillPackage: { uri, tools } }: ComposeRequest,
  { name, span }: PackageReference,
): ComposeError {
  const [near] = nearestNames(
    name,
    tools.map((tool) => tool.name),
  );
  const message = `The body refers to the tool \`${name}\`, which is not in \`tools\`.`;
  const suggestion =
    near === undefined
      ? 'Add it to `tools`, or remove the reference.'
      : `Did you mean \`${near}\`? Else add it to \`tools\`.`;
  return unknownTool(uri, span, name, message, suggestion);
}

const unknownTool = (uri: string, span: Span, subject: string, message: string, suggestion: string): ComposeError => ({
  kind: 'UnknownTool' satisfies ErrorKind,
  uri,
  span,
  subject,
  message,
  suggestion,
});

/** Every tool that the body names with `#tool:`, at its first place. */
function referencedTools({ proseReferences, artifacts }: SkillPackage): readonly PackageReference[] {
  const byName = new Map<string, PackageReference>();
  for (const reference of [...proseReferences, ...artifacts.flatMap(({ references }) => references)]) {
    const first = byName.get(reference.name);
    if (reference.kind === 'tool' && !(first && first.span.start <= reference.span.start))
      byName.set(reference.name, reference);
  }
  return [...byName.values()].sort((a, b) => a.span.start - b.span.start);
}

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
