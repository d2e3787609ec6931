/** Which tools a shape may call: never more than the surface and the caller's capabilities have in common. */
import type { PackageArtifact, PackageTool, ToolDescriptor } from '../../skill/package.ts';
import { availabilityOf } from '../capabilities.ts';
import { addDecision, addError, type ShapeContext } from './context.ts';

/** The tools at the top: what the request calls available, as far as surface and caller allow it. */
export function topTools(
  { skillPackage, shared }: ShapeContext,
  available: readonly ToolDescriptor[],
): readonly string[] {
  const { capabilities, source } = shared;
  const named = new Set(available.map(({ name }) => name));
  const held = skillPackage.tools.filter(
    (tool) => named.has(tool.name) && availabilityOf(tool, capabilities, source).available,
  );
  return distinct(held.map(({ name }) => name));
}

/** The tools of a composed skill: its own surface, bounded by the top-level caller. A required one that is not available is an error. */
export function nestedTools(context: ShapeContext): readonly string[] {
  const { skillPackage, shared } = context;
  const considered = skillPackage.tools.map((tool) => ({
    tool,
    ...availabilityOf(tool, shared.capabilities, shared.source),
  }));
  for (const { tool, available, reason } of considered) {
    addDecision(context, { span: tool.span, subject: 'tool', name: tool.name, taken: available, reason });
  }
  const held = considered.filter(({ available }) => available).map(({ tool }) => tool.name);
  const lacking = considered.filter(({ tool, available }) => !available && !tool.optional);
  if (skillPackage.requiresTools && held.length === 0) addNoToolsError(context, lacking);
  else for (const { tool, reason } of lacking) addLackingError(context, tool, reason);
  return distinct(held);
}

interface Lacking {
  readonly tool: PackageTool;
  readonly reason: string;
}

function addNoToolsError(context: ShapeContext, lacking: readonly Lacking[]): void {
  const skill = nameOf(context);
  const why = lacking.map(({ tool, reason }) => `\`${tool.name}\`: ${reason}`).join('; ');
  addError(
    context,
    {
      kind: 'CapabilityNarrowing',
      span: context.skillPackage.headSpan,
      subject: skill,
      message: `The composed skill \`${skill}\` needs tools and none is available${why === '' ? '' : ` (${why})`}.`,
      suggestion: `Invoke it as a caller that holds its tools, or set \`requires_tools: false\` in \`${skill}\`.`,
    },
    parentsOf(context),
  );
}

function addLackingError(context: ShapeContext, { name, span, descriptor }: PackageTool, reason: string): void {
  const skill = nameOf(context);
  addError(
    context,
    {
      kind: 'UnknownTool',
      span,
      subject: name,
      message: `The composed skill \`${skill}\` requires the tool \`${name}\`, which is not available: ${reason}.`,
      suggestion: descriptor
        ? `Invoke it as a caller that may use \`${name}\`, or mark the tool \`optional: true\` in \`${skill}\`.`
        : `Add \`${name}\` to the catalog, or correct its name in \`${skill}\`.`,
    },
    parentsOf(context),
  );
}

/** All that are available, or the subset that the approach names. */
export function narrowToApproach(
  context: ShapeContext,
  available: readonly string[],
  approach: PackageArtifact | undefined,
): readonly string[] {
  const wanted = approach?.tools;
  if (!approach || !wanted) return available;
  const { tools } = context.skillPackage;
  for (const { name, span } of wanted) {
    const declared = tools.find((tool) => tool.name === name);
    // For a declared tool of a composed skill `nestedTools` has added an error already.
    if (available.includes(name) || declared?.optional || (declared && context.topEntry)) continue;
    addError(context, {
      kind: 'UnknownTool',
      span,
      subject: name,
      message: `The approach \`${approach.name}\` needs the tool \`${name}\`, which is not available here.`,
      suggestion: declared
        ? `Invoke the skill as a caller that may use \`${name}\`, or take it out of the approach's \`tools\`.`
        : `Declare \`${name}\` under \`tools\`, or take it out of the approach's \`tools\`.`,
    });
  }
  const names = new Set(wanted.map(({ name }) => name));
  for (const { name, span } of tools) {
    if (names.has(name) || !available.includes(name)) continue;
    const reason = `the approach ${approach.name} does not need it`;
    addDecision(context, { span, subject: 'tool', name, taken: false, reason });
  }
  return available.filter((name) => names.has(name));
}

/** The skills that lead to this one, without itself, which the message names already. */
const parentsOf = ({ path }: ShapeContext): ShapeContext['path'] => path.slice(0, -1);

const nameOf = ({ skillPackage }: ShapeContext): string => skillPackage.name?.name ?? 'unnamed';

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];
