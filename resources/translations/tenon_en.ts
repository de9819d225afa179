<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-License-Identifier: GPL-3.0-or-later
     English needs its plural forms only. Bring up to date with: lupdate -pluralonly -locations none ui app -ts resources/translations/tenon_en.ts
     (lupdate of Qt 6.4 leaves "tenon::ui::" out of the contexts' names, and this comment: put both back) -->
<TS version="2.1" language="en_US">
<context>
    <name>Diagnostics</name>
    <message numerus="yes">
        <source>%n processor(s)</source>
        <translation><numerusform>%n processor</numerusform><numerusform>%n processors</numerusform></translation>
    </message>
</context>
<context>
    <name>StepGraph</name>
    <message numerus="yes">
        <source>%n gradient(s)</source>
        <translation><numerusform>%n gradient</numerusform><numerusform>%n gradients</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n kernel(s)</source>
        <translation><numerusform>%1 in %n kernel</numerusform><numerusform>%1 in %n kernels</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s); Enter shows them</source>
        <translation><numerusform>%n operation; Enter shows it</numerusform><numerusform>%n operations; Enter shows them</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::BarChart</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation><numerusform>%n more</numerusform><numerusform>%n more</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::BlockListView</name>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n block</numerusform><numerusform>%n blocks</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n block(s)</source>
        <translation><numerusform>%1 of %n block</numerusform><numerusform>%1 of %n blocks</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::CanvasView</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation><numerusform>%n error</numerusform><numerusform>%n errors</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation><numerusform>%n warning</numerusform><numerusform>%n warnings</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::FirstBatchView</name>
    <message numerus="yes">
        <source>%n value(s) of the batch are NaN or infinite</source>
        <translation><numerusform>%n value of the batch is NaN or infinite</numerusform><numerusform>%n values of the batch are NaN or infinite</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::OutlineModel</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation><numerusform>%n layer</numerusform><numerusform>%n layers</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::PropertiesView</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation><numerusform>%n layer</numerusform><numerusform>%n layers</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::ReadoutText</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::RunTable</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation><numerusform>%n run</numerusform><numerusform>%n runs</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation><numerusform>%1 of %n run</numerusform><numerusform>%1 of %n runs</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n run(s)?</source>
        <translation><numerusform>Delete %n run?</numerusform><numerusform>Delete %n runs?</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::SessionNotices</name>
    <message numerus="yes">
        <source>The training cannot start: %n issue(s)</source>
        <translation><numerusform>The training cannot start: %n issue</numerusform><numerusform>The training cannot start: %n issues</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::SettingsView</name>
    <message numerus="yes">
        <source>%n difference(s)</source>
        <translation><numerusform>%n difference</numerusform><numerusform>%n differences</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::Sparkline</name>
    <message numerus="yes">
        <source>%n values, last %1, minimum %2, maximum %3</source>
        <translation><numerusform>%n value, last %1, minimum %2, maximum %3</numerusform><numerusform>%n values, last %1, minimum %2, maximum %3</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::StackTrack</name>
    <message numerus="yes">
        <source>%n blocks, peak %1 at %2 %3</source>
        <translation><numerusform>%n block, peak %1 at %2 %3</numerusform><numerusform>%n blocks, peak %1 at %2 %3</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::StepGraphView</name>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation><numerusform>%n operation</numerusform><numerusform>%n operations</numerusform></translation>
    </message>
</context>
<context>
    <name>tenon::ui::TopBar</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation><numerusform>%n error</numerusform><numerusform>%n errors</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation><numerusform>%n warning</numerusform><numerusform>%n warnings</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>CPU, %n thread(s)</source>
        <translation><numerusform>CPU, %n thread</numerusform><numerusform>CPU, %n threads</numerusform></translation>
    </message>
</context>
</TS>
