-- Asks ppl lsp what an editor asks while a model is written, and looks at the answers.

local buf = vim.api.nvim_get_current_buf()
local id = assert(vim.lsp.start_client({ name = "ppl", cmd = { os.getenv("PPL"), "lsp" } }))
vim.lsp.buf_attach_client(buf, id)

local function check(what, got, want)
  if got ~= want then
    io.stderr:write(string.format("%s: found %s, want %s\n", what, vim.inspect(got), vim.inspect(want)))
    vim.cmd("cquit 1")
  end
end

-- place is that of a byte of a line, both counted from 0.
local function place(line, character)
  return { textDocument = vim.lsp.util.make_text_document_params(buf), position = { line = line, character = character } }
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(buf, method, params, 5000) or {}) do
    if answer.error then
      check(method, answer.error.message, nil)
    end
    return answer.result
  end
end

local function line(n)
  return vim.api.nvim_buf_get_lines(buf, n, n + 1, false)[1]
end

vim.wait(5000, function() return #vim.diagnostic.get(buf) > 0 end)
local problems = vim.diagnostic.get(buf)
check("problems", #problems, 1)
check("the place of the problem", problems[1].lnum .. ":" .. problems[1].col, "7:17")

local outline = {}
for _, s in ipairs(vim.lsp.util.symbols_to_items(ask("textDocument/documentSymbol", place(0, 0)), buf)) do
  table.insert(outline, s.text)
end
check("outline", table.concat(outline, ", "), "[Module] data, [Constant] N, [Constant] y, [Module] parameters, "
  .. "[Field] mu, [Field] sigma, [Module] model, [Module] inference, [Method] fit")

local help = ask("textDocument/signatureHelp", place(7, 20))
check("signature", help.signatures[1].label, "real normal_lpdf(reals y | reals mu, reals sigma)")
check("argument", help.signatures[1].parameters[help.activeParameter + 1].label, "reals sigma")
check("references", #ask("textDocument/references", vim.tbl_extend("error", place(3, 18), { context = { includeDeclaration = true } })), 3)
check("highlights", #ask("textDocument/documentHighlight", place(3, 18)), 3)
check("explanation", ask("textDocument/hover", place(7, 8)).contents.value:find("standard deviation sigma", 1, true) ~= nil, true)

local all = place(0, 0)
all.range = { start = all.position, ["end"] = { line = 99, character = 0 } }
all.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", all)
check("quick fixes", #actions, 1)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
check("mended", line(7), "  y ~ normal(mu, sigma);")
vim.wait(5000, function() return #vim.diagnostic.get(buf) == 0 end)
check("problems left", #vim.diagnostic.get(buf), 0)

vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", vim.tbl_extend("error", place(3, 18), { newName = "centre" })), "utf-16")
check("renamed", line(5), "  centre ~ normal(0, 1);")
local layout = ask("textDocument/formatting", vim.tbl_extend("error", place(0, 0), { options = { tabSize = 2, insertSpaces = true } }))
vim.lsp.util.apply_text_edits(layout, buf, "utf-16")
check("laid out", line(2), "  vector[N] y;")

vim.lsp.stop_client(id)
io.stdout:write("ok\n")
vim.cmd("qall!")
