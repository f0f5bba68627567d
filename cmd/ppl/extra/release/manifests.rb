#!/usr/bin/env ruby
# Reads the manifests of a release as Homebrew, Scoop and winget read them, holds them against the rules that
# these publish, and installs what they name: the formula for this machine into ROOT/homebrew, what Scoop
# and winget would unpack into ROOT/scoop and ROOT/winget.
#
# Usage: manifests.rb DIST ROOT
#
# The rules: Homebrew's Formula Cookbook and its cop FormulaAudit/Desc; Scoop's schema.json; winget's
# manifest.{version,defaultLocale,installer}.1.6.0.json.
require "digest"
require "fileutils"
require "json"
require "pathname"
require "yaml"

DIST = Pathname(ARGV.fetch(0))
ROOT = Pathname(ARGV.fetch(1))

def must(what, holds)
  abort "#{what}: not so" unless holds
end

# The file of the release that an address names, if it has this sum.
def named(url, sum)
  file = DIST / File.basename(url)
  must "#{url} is of this release", url.start_with?("https://") && file.file?
  must "the sum of #{file}", Digest::SHA256.file(file).hexdigest == sum.downcase
  file
end

def unzip(file, into)
  FileUtils.mkdir_p into
  must "unzip #{file}", system("python3", "-m", "zipfile", "-e", file.to_s, into.to_s)
end

# A folder that formulas install into.
class Place < Pathname
  def install(*things)
    mkpath
    things.flatten.each do |thing|
      pairs = thing.is_a?(Hash) ? thing : { thing => File.basename(thing.to_s) }
      pairs.each { |from, to| FileUtils.cp from.to_s, self / to }
    end
  end
end

# What a formula calls.
class Formula
  class << self
    attr_accessor :host # system and processor
    attr_reader :fields, :tested

    def inherited(formula)
      super
      formula.instance_variable_set :@fields, {}
    end

    %i[desc homepage version license url sha256].each do |name|
      define_method(name) do |value|
        raise "#{name} is there twice" if @fields[name]

        @fields[name] = value
      end
    end
    %i[macos linux arm intel].each do |name|
      define_method("on_#{name}") { |&block| block.call if Formula.host.include?(name) }
    end

    def test(&block)
      @tested = block
    end
  end

  PREFIX = Place.new(ROOT / "homebrew")
  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d", zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d" }.each { |name, path| define_method(name) { Place.new(PREFIX / path) } } # Ruby 3.1 makes a Pathname of the sum

  def system(*words)
    raise "failed: #{words}" unless Kernel.system(*words.map(&:to_s), out: File::NULL)
  end
end

here = [RUBY_PLATFORM.include?("darwin") ? :macos : :linux, RUBY_PLATFORM.start_with?("x86_64") ? :intel : :arm]
[%i[macos arm], %i[macos intel], %i[linux arm], %i[linux intel]].each do |host|
  Formula.host = host
  Object.send(:remove_const, :Ppl) if defined?(Ppl)
  load DIST / "homebrew/ppl.rb"
  f = Ppl.fields
  must "desc of Homebrew's form", f[:desc] =~ /\A[A-Z]/ && f[:desc] !~ /\A(An?|The|Ppl)\b/i && f[:desc].length <= 80 && !f[:desc].end_with?(".")
  must "license is SPDX", f[:license] == "BSD-3-Clause"
  must "homepage", f[:homepage].start_with?("https://")
  must "the version is that of the address, and not repeated", f[:version].nil? && f[:url] =~ %r{/v[0-9.]+/ppl-[0-9.]+-}
  file = named(f[:url], f[:sha256])
  entries = IO.popen(["tar", "-tzf", file.to_s], &:readlines).map(&:chomp)
  must "#{file} has one folder with the command", entries.map { |e| e[%r{\A[^/]+}] }.uniq.length == 1 && entries.any? { |e| e.end_with?("/ppl") }
  next unless host == here

  unpacked = ROOT / "unpacked"
  FileUtils.mkdir_p unpacked
  must "tar", system("tar", "-xzf", file.to_s, "-C", unpacked.to_s, "--strip-components", "1")
  formula = Ppl.new
  Dir.chdir(unpacked) { formula.install } # Homebrew steps into the one folder of an archive
  formula.instance_eval(&Ppl.tested)
  must "manual pages and completions", (formula.man1 / "ppl-run.1").file? && (formula.bash_completion / "ppl").file? &&
                                       (formula.zsh_completion / "_ppl").file? && (formula.fish_completion / "ppl.fish").file?
end
puts "homebrew/ppl.rb: four machines, installed for #{here.join(" ")}, its test runs"

scoop = JSON.parse((DIST / "scoop/ppl.json").read)
must "fields of Scoop", (scoop.keys - %w[version description homepage license architecture bin]).empty?
must "version of Scoop", scoop["version"] =~ /\A[\w\-.+]+\z/ && scoop["homepage"].start_with?("https://") && scoop["license"] == "BSD-3-Clause"
must "machines of Scoop", scoop["architecture"].keys.sort == %w[64bit arm64]
scoop["architecture"].each do |machine, a|
  must "fields of #{machine}", a.keys.sort == %w[extract_dir hash url] && a["hash"] =~ /\A\h{64}\z/
  unzip named(a["url"], a["hash"]), ROOT / "scoop" / machine
  must "the command for #{machine}", (ROOT / "scoop" / machine / a["extract_dir"] / scoop["bin"]).file?
end
puts "scoop/ppl.json: #{scoop["architecture"].keys.join(" ")}"

# Fields that winget's schemas ask for, and their form; others of ours are named with a form, too.
WINGET_HEAD = {
  "PackageIdentifier" => %r{\A[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}\z}, "PackageVersion" => %r{\A[^\\/:*?"<>|]{1,128}\z}, "ManifestVersion" => /\A1\.6\.0\z/,
}.freeze
LOCALE = /\A[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*\z/
WINGET = {
  "version" => { "DefaultLocale" => LOCALE },
  "defaultLocale" => { "PackageLocale" => LOCALE, "Publisher" => /\A.{2,256}\z/, "PackageName" => /\A.{2,256}\z/, "License" => /\A.{3,512}\z/,
                       "ShortDescription" => /\A.{3,256}\z/, "PackageUrl" => %r{\Ahttps?://.+\z} },
  "installer" => { "InstallerType" => /\Azip\z/, "NestedInstallerType" => /\Aportable\z/ },
}.freeze
INSTALLER = %w[Architecture InstallerSha256 InstallerUrl NestedInstallerFiles].freeze

versions = []
Dir[DIST / "winget/*.yaml"].each do |path|
  manifest = YAML.safe_load(File.read(path))
  kind = manifest.delete("ManifestType")
  must "#{path}: kind", WINGET.key?(kind)
  installers = manifest.delete("Installers") || []
  rules = WINGET_HEAD.merge(WINGET.fetch(kind))
  must "#{path}: fields", manifest.keys.sort == rules.keys.sort
  rules.each { |field, form| must "#{path}: #{field}", manifest[field].is_a?(String) && manifest[field] =~ form }
  must "#{path}: name of the file", File.basename(path) == manifest["PackageIdentifier"] + { "version" => "", "defaultLocale" => ".locale.en-US", "installer" => ".installer" }[kind] + ".yaml"
  versions << [kind, manifest["PackageIdentifier"], manifest["PackageVersion"]]
  must "#{path}: installers", (kind == "installer") == !installers.empty?
  installers.each do |i|
    must "fields of an installer", i.keys.sort == INSTALLER && %w[x64 arm64].include?(i["Architecture"]) && i["InstallerSha256"] =~ /\A\h{64}\z/
    into = ROOT / "winget" / i["Architecture"]
    unzip named(i["InstallerUrl"], i["InstallerSha256"]), into
    i["NestedInstallerFiles"].each do |n|
      must "nested file", n.keys.sort == %w[PortableCommandAlias RelativeFilePath] && (into / n["RelativeFilePath"].tr("\\", "/")).file?
    end
  end
end
must "three manifests of one package", versions.map(&:first).sort == %w[defaultLocale installer version] && versions.map { |v| v[1..] }.uniq.length == 1
puts "winget: three manifests of #{versions[0][1]} #{versions[0][2]}"
