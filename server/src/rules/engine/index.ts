/** The table of rules. A new rule needs a line here and a page in `docs/rules`. */

import { agentKeyIgnored } from '../agent/agent-key-ignored.ts';
import { agentNotLoaded } from '../agent/agent-not-loaded.ts';
import { agentTools } from '../agent/agent-tools.ts';
import { builtInAgent } from '../agent/built-in-agent.ts';
import { commandFrontmatter } from '../agent/command-frontmatter.ts';
import { openaiYaml } from '../agent/openai-yaml.ts';
import { skillNotPreloaded } from '../agent/skill-not-preloaded.ts';
import { unknownAgent } from '../agent/unknown-agent.ts';
import { brokenLink } from '../any-file/broken-link.ts';
import { duplicateKey } from '../any-file/duplicate-key.ts';
import { escapingPath } from '../any-file/escaping-path.ts';
import { invalidJson } from '../any-file/invalid-json.ts';
import { invalidName } from '../any-file/invalid-name.ts';
import { invalidValue } from '../any-file/invalid-value.ts';
import { invalidYaml } from '../any-file/invalid-yaml.ts';
import { missingFrontmatter } from '../any-file/missing-frontmatter.ts';
import { missingKey } from '../any-file/missing-key.ts';
import { missingOwner } from '../any-file/missing-owner.ts';
import { nameFileMismatch } from '../any-file/name-file-mismatch.ts';
import { unclosedFence } from '../any-file/unclosed-fence.ts';
import { unknownKey } from '../any-file/unknown-key.ts';
import { unreadText } from '../any-file/unread-text.ts';
import { unreadableFile } from '../any-file/unreadable-file.ts';
import { unreferencedFile } from '../any-file/unreferenced-file.ts';
import { retiredArtifactKind, unknownArtifactKind } from '../artifact/artifact-kind-rules.ts';
import { duplicateArtifact } from '../artifact/duplicate-artifact.ts';
import { emptyArtifact } from '../artifact/empty-artifact.ts';
import { exampleMismatch } from '../artifact/example-mismatch.ts';
import { invalidArtifactMetadata } from '../artifact/invalid-artifact-metadata.ts';
import { unknownArtifact } from '../artifact/unknown-artifact.ts';
import {
  unknownChannel,
  unknownEffect,
  unknownModel,
  unknownScope,
  unknownSurface,
} from '../catalog/catalog-name-rules.ts';
import { invalidPermission } from '../catalog/invalid-permission.ts';
import { missingScope } from '../catalog/missing-scope.ts';
import { unknownServer } from '../catalog/unknown-server.ts';
import { unknownSkillsFolder } from '../catalog/unknown-skills-folder.ts';
import { brokenComposedSkill } from '../composition/broken-composed-skill.ts';
import { budgetExceeded } from '../composition/budget-exceeded.ts';
import { canaryTotal } from '../composition/canary-total.ts';
import { circularDependency } from '../composition/circular-dependency.ts';
import { deprecatedSkill } from '../composition/deprecated-skill.ts';
import { diamondDependency } from '../composition/diamond-dependency.ts';
import { disabledPart } from '../composition/disabled-part.ts';
import { invalidL2Compose, invalidL3Compose, invalidLevel, levelViolation } from '../composition/level-rules.ts';
import { missingComposition } from '../composition/missing-composition.ts';
import { missingGate } from '../composition/missing-gate.ts';
import { overContextBudget } from '../composition/over-context-budget.ts';
import { skillNotFound } from '../composition/skill-not-found.ts';
import { speculatedWrite } from '../composition/speculated-write.ts';
import { undeclaredSkill } from '../composition/undeclared-skill.ts';
import { effectsUnderstated, operationUnderstated } from '../composition/understated-rules.ts';
import { unsafeRetry } from '../composition/unsafe-retry.ts';
import { versionConflict } from '../composition/version-conflict.ts';
import { versionMismatch } from '../composition/version-mismatch.ts';
import { breakingChange } from '../contract/breaking-change.ts';
import { incompleteContract } from '../contract/incomplete-contract.ts';
import { undeclaredInterrupt, unknownInterrupt, unusedInterrupt } from '../contract/interrupt-rules.ts';
import { invalidAdapter } from '../contract/invalid-adapter.ts';
import { invalidPolicy } from '../contract/invalid-policy.ts';
import { invalidSample } from '../contract/invalid-sample.ts';
import { invalidSchema } from '../contract/invalid-schema.ts';
import { invalidToolConstraints } from '../contract/invalid-tool-constraints.ts';
import { missingInputSchema, missingOutputSchema } from '../contract/missing-schema-rules.ts';
import { sampleFails } from '../contract/sample-fails.ts';
import { slowPattern } from '../contract/slow-pattern.ts';
import { toolNotOffered } from '../contract/tool-not-offered.ts';
import { undeclaredTool } from '../contract/undeclared-tool.ts';
import { unknownTool } from '../contract/unknown-tool.ts';
import { unusedTool } from '../contract/unused-tool.ts';
import {
  ambiguousFieldMapping,
  formatMismatch,
  missingRequiredField,
  parallelOutputs,
  typeMismatch,
  unusedMapping,
} from '../data-flow/data-flow-rules.ts';
import { duplicateMapping } from '../data-flow/duplicate-mapping.ts';
import { invalidCondition } from '../data-flow/invalid-condition.ts';
import { invalidExecution } from '../data-flow/invalid-execution.ts';
import { invalidStepName, stepOrder, unknownStep, unusedStep } from '../data-flow/step-rules.ts';
import { invalidPackage } from '../legacy/invalid-package.ts';
import { ignoredPluginKey } from '../manifest/ignored-plugin-key.ts';
import { invalidPluginManifest } from '../manifest/invalid-plugin-manifest.ts';
import {
  embeddedSecret,
  encodedPayload,
  pipeToShell,
  selfRunningCommand,
  unscopedShell,
} from '../security/command-rules.ts';
import { hiddenInstructions } from '../security/hidden-instructions.ts';
import { invisibleText } from '../security/invisible-text.ts';
import { undeclaredNetwork } from '../security/undeclared-network.ts';
import { agentSkillAllowedTools } from '../skill-md/agent-skill-allowed-tools.ts';
import { agentSkillBodySize } from '../skill-md/agent-skill-body-size.ts';
import { agentSkillCompatibility } from '../skill-md/agent-skill-compatibility.ts';
import { agentSkillCut } from '../skill-md/agent-skill-cut.ts';
import { agentSkillDescription } from '../skill-md/agent-skill-description.ts';
import { agentSkillFileName } from '../skill-md/agent-skill-file-name.ts';
import { agentSkillIgnored } from '../skill-md/agent-skill-ignored.ts';
import { agentSkillKeyValue } from '../skill-md/agent-skill-key-value.ts';
import { agentSkillMetadata } from '../skill-md/agent-skill-metadata.ts';
import { agentSkillMissingKey } from '../skill-md/agent-skill-missing-key.ts';
import { agentSkillName, agentSkillNameFolder } from '../skill-md/agent-skill-name-rules.ts';
import { agentSkillNeverInvoked } from '../skill-md/agent-skill-never-invoked.ts';
import { agentSkillNotLoaded } from '../skill-md/agent-skill-not-loaded.ts';
import { agentSkillReferenceDepth } from '../skill-md/agent-skill-reference-depth.ts';
import { agentSkillRefusedInWorkflow } from '../skill-md/agent-skill-refused-in-workflow.ts';
import { agentSkillSplitFrontmatter } from '../skill-md/agent-skill-split-frontmatter.ts';
import { agentSkillUnknownKey } from '../skill-md/agent-skill-unknown-key.ts';
import { duplicateSkill } from '../skill-md/duplicate-skill.ts';
import { generatedSkill } from '../skill-md/generated-skill.ts';
import { listingOverBudget } from '../skill-md/listing-over-budget.ts';
import { overlappingSkills } from '../skill-md/overlapping-skills.ts';
import { argumentNumbers, unescapedDollar, unfilledPlaceholder } from '../skill-md/placeholder-rules.ts';
import { repeatedEvalId } from '../skill-md/repeated-eval-id.ts';
import { routingFails } from '../skill-md/routing-fails.ts';
import { scriptCall } from '../skill-md/script-call.ts';
import { unclearDescription } from '../skill-md/unclear-description.ts';
import { unshippedSkill } from '../skill-md/unshipped-skill.ts';
import { chainedComparison } from '../template/chained-comparison.ts';
import { missingFraming } from '../template/missing-framing.ts';
import { missingInclude } from '../template/missing-include.ts';
import { templateInProse } from '../template/template-in-prose.ts';
import { templateSyntax } from '../template/template-syntax.ts';
import {
  iteratorValue,
  jinjaDifference,
  refusedValue,
  unknownFilter,
  unknownTest,
} from '../template/template-value-rules.ts';
import { undefinedVariable } from '../template/undefined-variable.ts';
import { unguardedValue } from '../template/unguarded-value.ts';
import { unusedApproach } from '../template/unused-approach.ts';
import { unusedParameter } from '../template/unused-parameter.ts';
import { unusedProse } from '../template/unused-prose.ts';
import { unusedTemplate } from '../template/unused-template.ts';
import { codeOf, type Rule } from './rule.ts';
import { unusedSuppression } from './unused-suppression.ts';

export const rules: readonly Rule[] = [
  agentKeyIgnored,
  agentNotLoaded,
  agentSkillAllowedTools,
  agentSkillBodySize,
  agentSkillCompatibility,
  agentSkillCut,
  agentSkillDescription,
  agentSkillFileName,
  agentSkillIgnored,
  agentSkillKeyValue,
  agentSkillMetadata,
  agentSkillMissingKey,
  agentSkillName,
  agentSkillNameFolder,
  agentSkillNeverInvoked,
  agentSkillNotLoaded,
  agentSkillReferenceDepth,
  agentSkillRefusedInWorkflow,
  agentSkillSplitFrontmatter,
  agentSkillUnknownKey,
  agentTools,
  ambiguousFieldMapping,
  argumentNumbers,
  breakingChange,
  brokenComposedSkill,
  brokenLink,
  budgetExceeded,
  builtInAgent,
  canaryTotal,
  chainedComparison,
  circularDependency,
  commandFrontmatter,
  deprecatedSkill,
  diamondDependency,
  disabledPart,
  duplicateArtifact,
  duplicateKey,
  duplicateMapping,
  duplicateSkill,
  effectsUnderstated,
  embeddedSecret,
  emptyArtifact,
  encodedPayload,
  escapingPath,
  exampleMismatch,
  formatMismatch,
  generatedSkill,
  hiddenInstructions,
  ignoredPluginKey,
  incompleteContract,
  invalidAdapter,
  invalidArtifactMetadata,
  invalidCondition,
  invalidExecution,
  invalidJson,
  invalidL2Compose,
  invalidL3Compose,
  invalidLevel,
  invalidName,
  invalidPackage,
  invalidPermission,
  invalidPluginManifest,
  invalidPolicy,
  invalidSample,
  invalidSchema,
  invalidStepName,
  invalidToolConstraints,
  invalidValue,
  invalidYaml,
  invisibleText,
  iteratorValue,
  jinjaDifference,
  levelViolation,
  listingOverBudget,
  missingComposition,
  missingFraming,
  missingFrontmatter,
  missingGate,
  missingInclude,
  missingInputSchema,
  missingKey,
  missingOutputSchema,
  missingOwner,
  missingRequiredField,
  missingScope,
  nameFileMismatch,
  openaiYaml,
  operationUnderstated,
  overContextBudget,
  overlappingSkills,
  parallelOutputs,
  pipeToShell,
  refusedValue,
  repeatedEvalId,
  retiredArtifactKind,
  routingFails,
  sampleFails,
  scriptCall,
  selfRunningCommand,
  skillNotFound,
  skillNotPreloaded,
  slowPattern,
  speculatedWrite,
  stepOrder,
  templateInProse,
  templateSyntax,
  toolNotOffered,
  typeMismatch,
  unclearDescription,
  unclosedFence,
  undeclaredInterrupt,
  undeclaredNetwork,
  undeclaredSkill,
  undeclaredTool,
  undefinedVariable,
  unescapedDollar,
  unfilledPlaceholder,
  unguardedValue,
  unknownAgent,
  unknownArtifact,
  unknownArtifactKind,
  unknownChannel,
  unknownEffect,
  unknownFilter,
  unknownInterrupt,
  unknownKey,
  unknownModel,
  unknownScope,
  unknownServer,
  unknownSkillsFolder,
  unknownStep,
  unknownSurface,
  unknownTest,
  unknownTool,
  unreadText,
  unreadableFile,
  unreferencedFile,
  unsafeRetry,
  unscopedShell,
  unshippedSkill,
  unusedApproach,
  unusedInterrupt,
  unusedMapping,
  unusedParameter,
  unusedProse,
  unusedStep,
  unusedSuppression,
  unusedTemplate,
  unusedTool,
  versionConflict,
  versionMismatch,
];

/** Returns a rule by its name, or by its number in upper or lower case; undefined for an unknown name. */
export const findRule = (name: string): Rule | undefined =>
  rules.find((rule) => rule.name === name || codeOf(rule).toLowerCase() === name.toLowerCase());
