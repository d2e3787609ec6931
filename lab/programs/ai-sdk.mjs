// One request with the AI SDK and bash-tool: WORKSPACE MODEL_URL PROMPT
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';
import { experimental_createSkillTool as createSkillTool } from 'bash-tool';

const [workspace, url, prompt] = process.argv.slice(2);
const { skill } = await createSkillTool({ skillsDirectory: join(workspace, '.agents', 'skills') });
const provider = createOpenAICompatible({ name: 'lab', baseURL: `${url}/v1`, apiKey: 'none' });
await generateText({ model: provider('lab'), tools: { skill }, prompt, stopWhen: stepCountIs(100) });
