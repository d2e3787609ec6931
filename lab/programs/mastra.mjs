// One request with Mastra: WORKSPACE MODEL_URL PROMPT
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';

const [basePath, url, prompt] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: 'lab', baseURL: `${url}/v1`, apiKey: 'none' });
const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath }), skills: ['.agents/skills'] });
const agent = new Agent({ id: 'lab', name: 'lab', model: provider('lab'), instructions: 'Help.', workspace });
await agent.generate(prompt, { maxSteps: 100 });
