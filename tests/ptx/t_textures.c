/* Operands of textures and surfaces, and the fields of a sampler. */
#include "tests/ptx/fixture.h"

static void textures_keep_each_operand_in_its_place(void)
{
    struct fix f =
        fix_body("tex.a2d.v4.s32.f32 {%r1,_,%r3,%r4}, [%rd1, {%r5,%f1,%f2,%f2}];\n"
                 "tex.level.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, %r1], %r2;\n"
                 "suld.b.3d.v2.b8.zero {%h1,%h2}, [%rd1, {%r1,%r2,%r3,%r3}];\n"
                 "sust.b.a1d.b64.clamp [%rd1, {%r1,%r2}], %rd2;\n"
                 "tld4.b.2d.v4.u32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1,%f2}];\n"
                 "suq.memory_layout.b32 %r1, [%rd1];\n"
                 "tex.grad.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f3}],"
                 "{%f3,%f4,%f5,%f5}, {%f6,%f7,%f8};\n"
                 "tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}], {%f2}, %f3;\n");
    const struct inst *in = fix_inst(&f, 0);
    CU_ASSERT_EQUAL(in->op, OP_TEX);
    CU_ASSERT_EQUAL(in->mode, GEOM_A2D);
    CU_ASSERT_EQUAL(in->space, SP_TEX);
    CU_ASSERT_EQUAL(in->unit, UNIT_MEM);
    CU_ASSERT_EQUAL(in->dst[1].off, OPND_NONE);
    CU_ASSERT_EQUAL(in->src[1].width, 4);           /* x */
    CU_ASSERT_EQUAL(in->src[3].off, OPND_NONE);     /* no z */
    CU_ASSERT_NOT_EQUAL(in->src[4].off, OPND_NONE); /* layer */
    CU_ASSERT_EQUAL(in->src[5].off, OPND_NONE);     /* no sampler */
    in = fix_inst(&f, 1);
    CU_ASSERT_EQUAL(in->src[5].width, 8);
    CU_ASSERT_NOT_EQUAL(in->src[6].off, OPND_NONE);
    in = fix_inst(&f, 2);
    CU_ASSERT_EQUAL(in->aop, SURF_ZERO);
    CU_ASSERT_EQUAL(in->nd, 2);
    CU_ASSERT_EQUAL(in->ns, 4);
    CU_ASSERT_TRUE(in->flags & INST_LOAD);
    in = fix_inst(&f, 3);
    CU_ASSERT_EQUAL(in->ns, 5);
    CU_ASSERT_EQUAL(in->src[2].off, OPND_NONE); /* no y: x, then the layer */
    CU_ASSERT_NOT_EQUAL(in->src[3].off, OPND_NONE);
    CU_ASSERT_EQUAL(in->src[4].width, 8);
    CU_ASSERT_EQUAL(fix_inst(&f, 4)->aop, 2);
    CU_ASSERT_EQUAL(fix_inst(&f, 5)->mode, QUERY_LAYOUT);
    in = fix_inst(&f, 6);
    CU_ASSERT_TRUE(in->ns == 12 && in->flags & INST_GRADIENTS);
    for (int i = 6; i < 12; i++) /* both gradients, %f3 to %f8 */
        CU_ASSERT_EQUAL(in->src[i].num, i - 3);
    in = fix_inst(&f, 7);
    CU_ASSERT_TRUE(in->src[6].num == 2 && in->src[9].num == 3);
    CU_ASSERT_TRUE(in->src[7].off == OPND_NONE && in->src[10].off == OPND_NONE);
    fix_free(&f);
}

static void a_sampler_keeps_its_fields(void)
{
    struct fix f = fix_new(HEAD ".global .samplerref s = { addr_mode_0 = clamp_to_border,\n"
                                "force_unnormalized_coords = 1 };\n.global .surfref p;\n",
                           NULL);
    const char *word = NULL;
    int64_t number = -1;
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.m);
    const struct module_var *s = module_var_find(f.m, "s");
    CU_ASSERT_EQUAL(s->opaque, OPAQUE_SAMPLER);
    CU_ASSERT_EQUAL(s->bytes, 8);
    CU_ASSERT_TRUE(module_var_field(s, "addr_mode_0", &word, &number));
    CU_ASSERT_STRING_EQUAL(word, "clamp_to_border");
    CU_ASSERT_TRUE(module_var_field(s, "force_unnormalized_coords", &word, &number));
    CU_ASSERT_STRING_EQUAL(word, "");
    CU_ASSERT_EQUAL(number, 1);
    CU_ASSERT_FALSE(module_var_field(s, "filter_mode", &word, &number));
    CU_ASSERT_EQUAL(module_var_find(f.m, "p")->opaque, OPAQUE_SURFACE);
    fix_free(&f);
}

SUITE("ptx textures", T(textures_keep_each_operand_in_its_place), T(a_sampler_keeps_its_fields))
